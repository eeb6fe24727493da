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
    guard exists else { return try nothing(type) }
    var series = DecodingSeries(decoder, in: origin.database)
    return try data(as: type, by: &series)
  }

  /// Does the same as one of a series, which has the document's database.
  @inline(__always)
  fileprivate func data<T: Decodable>(
    as type: T.Type, by series: inout DecodingSeries
  ) throws(DatabaseError) -> T {
    guard let record = try record?.storedRecord() else { return try nothing(type) }
    return try series.decode(type, from: record)
  }

  @inline(never)
  private func nothing<T: Decodable>(_ type: T.Type) throws(DatabaseError) -> T {
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
    return try decoder.decode(type, from: record, at: place, in: origin.database)
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
    guard let first = documents.first else { return [] }
    var values: [T] = []
    values.reserveCapacity(documents.count)
    var series = DecodingSeries(decoder, in: first.origin.database)
    for index in documents.indices {
      series.turn(to: documents[index].origin)
      values.append(try documents[index].data(as: type, by: &series))
    }
    return values
  }
}
