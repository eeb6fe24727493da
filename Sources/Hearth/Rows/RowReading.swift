import HearthDocumentEngine
import HearthDocumentModel
import HearthStorageFormat

extension QueryBuilding {
  /// Calls `body` with a row of each result until it returns `false`. One result is in memory at a
  /// time, and only the fields that are read are decoded.
  ///
  /// ```swift
  /// let fields = try RowFields("title", "priority")
  /// try tasks.limit(to: 20).forEachRow(of: fields) { row in
  ///   print(try row.string(0) ?? "", try row.integer(1) ?? 0)
  ///   return true
  /// }
  /// ```
  ///
  /// - Complexity: as `getDocuments`.
  /// - Throws: the errors of `getDocuments`, and of `body`; `unimplemented` for a query limited to
  ///   its last results, which are found from the end.
  public func forEachRow(
    of fields: RowFields, timeout: Duration? = nil,
    _ body: (borrowing Row) throws -> Bool
  ) throws {
    let query = query
    try query.forEachRow(of: fields, in: query.database.engine.readView(), timeout, body)
  }

  /// Does the same on a thread of Hearth's.
  public func forEachRow(
    of fields: RowFields, timeout: Duration? = nil,
    _ body: @escaping @Sendable (borrowing Row) throws -> Bool
  ) async throws {
    try await Blocking.run {
      Result { try self.forEachRow(of: fields, timeout: timeout, body) }
    }.get()
  }
}

extension DatabaseSnapshot {
  /// Calls `body` with a row of each result of a query until it returns `false`.
  ///
  /// - Complexity: as `getDocuments`.
  /// - Throws: the errors of the query's own `forEachRow`; `invalidArgument` for a query of another
  ///   database.
  public func forEachRow(
    _ fields: RowFields, of query: some QueryBuilding, timeout: Duration? = nil,
    _ body: (borrowing Row) throws -> Bool
  ) throws {
    try query.checked(for: .snapshot, of: database)
      .forEachRow(of: fields, in: view, timeout, body)
  }

  /// Does the same on a thread of Hearth's.
  public func forEachRow(
    _ fields: RowFields, of query: some QueryBuilding, timeout: Duration? = nil,
    _ body: @escaping @Sendable (borrowing Row) throws -> Bool
  ) async throws {
    try await Blocking.run {
      Result { try self.forEachRow(fields, of: query, timeout: timeout, body) }
    }.get()
  }
}

extension QuerySnapshot {
  /// Calls `body` with a row of each result.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged; the error of `body`.
  public func forEachRow(
    of fields: RowFields, _ body: (borrowing Row) throws -> Void
  ) throws {
    var columns = FieldColumns(fields.paths)
    for document in documents {
      guard let record = document.record else { continue }
      try columns.withRow(of: record, body)
    }
  }
}

extension Query {
  func forEachRow(
    of fields: RowFields, in view: ReadView, _ timeout: Duration?,
    _ body: (borrowing Row) throws -> Bool
  ) throws {
    try requireForwardResults()
    var failure: (any Error)?
    try database.observed(.query, in: view.databaseID) { work throws(DatabaseError) in
      let execution = try execution(in: view, timeout, work)
      var columns = FieldColumns(fields.paths)
      try execution.readDocuments { document in
        do {
          return try columns.withRow(of: document, body)
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }
}

extension FieldColumns {
  @inline(__always)
  fileprivate mutating func withRow<Result>(
    of document: borrowing FetchedDocument,
    _ body: (borrowing Row) throws -> Result
  ) throws -> Result {
    // Most results are the stored document, whose references aren't counted once more.
    guard document.shape == nil else { return try withRow(of: document.storedRecord(), body) }
    return try withRow(of: document.record, body)
  }

  @inline(__always)
  fileprivate mutating func withRow<Result>(
    of record: borrowing DocumentRecord,
    _ body: (borrowing Row) throws -> Result
  ) throws -> Result {
    do {
      try find(in: record)
    } catch {
      throw DatabaseError(reporting: error)
    }
    return try body(Row(row(of: record)))
  }
}
