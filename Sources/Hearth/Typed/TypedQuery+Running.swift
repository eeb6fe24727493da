public import HearthDocumentModel

extension TypedQueryBuilding {
  /// Returns the results as they are now.
  ///
  /// - Parameter timeout: the time that the query may take.
  /// - Complexity: the index entries up to the last result, and one document per result.
  /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query (§6.1);
  ///   `invalidArgument` for a query that can never run (§4.8), or with
  ///   ``DatabaseError/codingFailure`` for the first result that doesn't fit the type;
  ///   `deadlineExceeded`; `dataLoss`; or the store's error.
  public func getDocuments(timeout: Duration? = nil) throws(DatabaseError) -> [Element] {
    try query.getDocuments(timeout: timeout)
      .documents(as: Element.self, decoder: Element.documentDecoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments(timeout: Duration? = nil) async throws(DatabaseError) -> [Element] {
    try await query.getDocuments(timeout: timeout)
      .documents(as: Element.self, decoder: Element.documentDecoder)
  }

  /// Returns the number of results, without reading documents.
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of `getDocuments`.
  public func count(timeout: Duration? = nil) throws(DatabaseError) -> Int {
    try query.count(timeout: timeout)
  }

  /// Does the same without blocking the calling thread.
  public func count(timeout: Duration? = nil) async throws(DatabaseError) -> Int {
    try await query.count(timeout: timeout)
  }

  /// Returns the sum of the field over the results, from index entries alone (§9.1).
  ///
  /// - Throws: the errors of `getDocuments`; `outOfRange` for a sum that the property's type can't
  ///   hold.
  public func sum<Number: FieldNumber>(
    _ field: KeyPath<Element, Number>, timeout: Duration? = nil
  ) throws(DatabaseError) -> Number {
    try query.sum(try Element.field(field), timeout)
  }

  /// Does the same for an optional property.
  public func sum<Number: FieldNumber>(
    _ field: KeyPath<Element, Number?>, timeout: Duration? = nil
  ) throws(DatabaseError) -> Number {
    try query.sum(try Element.field(field), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func sum<Number: FieldNumber>(
    _ field: KeyPath<Element, Number>, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Number {
    try await query.sum(try Element.field(field), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func sum<Number: FieldNumber>(
    _ field: KeyPath<Element, Number?>, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Number {
    try await query.sum(try Element.field(field), timeout)
  }

  /// Returns the average of the field over the results, from index entries alone (§9.1); `nil` if
  /// no result has a number.
  ///
  /// - Throws: the errors of `getDocuments`.
  public func average<Number: FieldNumber>(
    _ field: KeyPath<Element, Number>, timeout: Duration? = nil
  ) throws(DatabaseError) -> Double? {
    try query.average(try Element.field(field), timeout)
  }

  /// Does the same for an optional property.
  public func average<Number: FieldNumber>(
    _ field: KeyPath<Element, Number?>, timeout: Duration? = nil
  ) throws(DatabaseError) -> Double? {
    try query.average(try Element.field(field), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func average<Number: FieldNumber>(
    _ field: KeyPath<Element, Number>, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Double? {
    try await query.average(try Element.field(field), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func average<Number: FieldNumber>(
    _ field: KeyPath<Element, Number?>, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Double? {
    try await query.average(try Element.field(field), timeout)
  }
}

extension Query {
  fileprivate func sum<Number: FieldNumber>(
    _ field: FieldPath, _ timeout: Duration?
  ) throws(DatabaseError) -> Number {
    try aggregate([.sum(field, as: "sum")], timeout: timeout).number("sum")
  }

  fileprivate func sum<Number: FieldNumber>(
    _ field: FieldPath, _ timeout: Duration?
  ) async throws(DatabaseError) -> Number {
    try await aggregate([.sum(field, as: "sum")], timeout: timeout).number("sum")
  }

  fileprivate func average(
    _ field: FieldPath, _ timeout: Duration?
  ) throws(DatabaseError) -> Double? {
    try aggregate([.average(field, as: "average")], timeout: timeout)["average"].doubleValue
  }

  fileprivate func average(
    _ field: FieldPath, _ timeout: Duration?
  ) async throws(DatabaseError) -> Double? {
    try await aggregate([.average(field, as: "average")], timeout: timeout)["average"].doubleValue
  }
}

extension AggregateSnapshot {
  fileprivate func number<Number: FieldNumber>(_ alias: String) throws(DatabaseError) -> Number {
    let value = try self[alias]
    guard let number = Number(numberValue: value) else {
      throw DatabaseError(
        .outOfRange, "The sum \(value) is beyond what an \(Number.self) holds.")
    }
    return number
  }
}
