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
    var values: [T] = []
    values.reserveCapacity(count)
    var series = DecodingSeries(decoder, in: first.reference.database)
    var lastSource: ResultSource?
    for index in indices {
      guard let record = try self[index].record?.storedRecord() else {
        values.append(try self[index].nothing(type))
        continue
      }
      // Results of one query share their source. Comparing it counts no references.
      if case .result(let source) = self[index].origin {
        if source !== lastSource {
          series.turn(to: source.database)
          lastSource = source
        }
      } else {
        series.turn(to: self[index].reference.database)
        lastSource = nil
      }
      values.append(try series.decode(type, from: record))
    }
    return values
  }
}
