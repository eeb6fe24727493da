public import HearthDocumentModel
import HearthDocumentEngine
import HearthStorageFormat

extension DocumentSnapshot {
  /// Returns the document as a value of `type`, decoded straight from the stored bytes.
  ///
  /// - Throws: `notFound` if there was no document, unless `type` is optional; `invalidArgument`
  ///   with ``DatabaseError/codingFailure`` if the document doesn't fit; `dataLoss` if the stored
  ///   bytes are damaged; or the errors of the type's own `init(from:)`.
  public func data<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T {
    guard let record = try record?.storedRecord() else { return try nothing(type) }
    // A result needs no path for its database.
    guard case .result(let source) = origin else {
      return try decoder.decode(type, from: record, in: reference.database)
    }
    return try decoder.decode(type, from: record, in: source.database)
  }

  @inline(never)
  fileprivate func nothing<T: Decodable>(_ type: T.Type) throws(DatabaseError) -> T {
    guard let nothing = (type as? any DecodableFromNothing.Type)?.nothing as? T else {
      throw DatabaseError(.notFound, "No document to decode as \(type): \"\(reference.path)\".")
    }
    return nothing
  }

  /// Returns one field as a value of `type`, without decoding the others; `nil` if there is no
  /// document or no such field.
  ///
  /// - Throws: `invalidArgument` for a malformed path or a field that doesn't fit; `dataLoss` if
  ///   the stored bytes are damaged.
  public func value<T: Decodable>(
    _ field: String, as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T? {
    let path = try FieldPath(field)
    guard let record = try record?.storedRecord() else { return nil }
    let place = try reportingErrors { try record.place(of: path) }
    guard let place else { return nil }
    return try decoder.decode(type, from: record, at: place, in: reference.database)
  }
}

extension QuerySnapshot {
  /// Returns the results as values of `type`, in the query's order.
  ///
  /// - Throws: the errors of ``DocumentSnapshot/data(as:decoder:)`` for the first result that
  ///   doesn't fit.
  public func documents<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> [T] {
    try documents.decoded(as: type, by: decoder)
  }
}

extension Array where Element == DocumentSnapshot {
  /// Returns the documents as values of `type`, in their order.
  fileprivate func decoded<T: Decodable>(
    as type: T.Type, by decoder: DocumentDecoder
  ) throws(DatabaseError) -> [T] {
    guard let first else { return [] }
    var series = DecodingSeries(decoder, in: first.reference.database)
    do {
      return try [T](unsafeUninitializedCapacity: count) { values, decodedCount in
        try decode(into: values, &decodedCount, &series)
      }
    } catch {
      throw DatabaseError(reporting: error)
    }
  }

  /// Decodes the documents into memory that holds no values.
  private func decode<T: Decodable>(
    into values: UnsafeMutableBufferPointer<T>, _ decodedCount: inout Int,
    _ series: inout DecodingSeries
  ) throws(DatabaseError) {
    guard let start = values.baseAddress else { return }
    var lastSource: ObjectIdentifier?
    for index in indices {
      // Results of one query share their source.
      let source = self[index].sourceIdentity
      if source == nil || source != lastSource {
        series.turn(to: self[index].reference.database)
        lastSource = source
      }
      if let record = self[index].borrowedRecord {
        (start + index).initialize(to: try series.decode(T.self, from: record))
      } else {
        (start + index).initialize(to: try self[index].decoded(as: T.self, in: &series))
      }
      decodedCount = index + 1
    }
  }
}

extension DocumentSnapshot {
  /// Identity of the query's source; `nil` for a document that is no result of a query.
  @inline(__always)
  fileprivate var sourceIdentity: ObjectIdentifier? {
    if case .result(let source) = origin { ObjectIdentifier(source) } else { nil }
  }

  /// The stored document without a reference that is counted, which lives as long as the snapshot;
  /// `nil` if the snapshot shows none, or shows it in another shape.
  @inline(__always)
  fileprivate var borrowedRecord: Unmanaged<DocumentRecord>? {
    guard let record, record.shape == nil else { return nil }
    return .passUnretained(record.record)
  }

  /// Decodes a document that is missing, or differs from the stored one.
  @inline(never)
  fileprivate func decoded<T: Decodable>(
    as type: T.Type, in series: inout DecodingSeries
  ) throws(DatabaseError) -> T {
    guard let record = try record?.storedRecord() else { return try nothing(type) }
    return try series.decode(type, from: record)
  }
}
