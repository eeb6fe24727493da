import Hearth
import HearthFirestoreJSON

/// An export of a collection in one of the formats.
struct Export {
  let session: AdminSession
  let collection: ResourcePath
  let format: ExportFormat
  let isRecursive: Bool
  /// The field for the documents' ids.
  let idField: String
  /// The text for null in cells.
  let null: String

  /// The export's documents and the moment at which they were read.
  struct Extent {
    fileprivate(set) var documentCount = 0
    fileprivate(set) var readTime: Timestamp?
  }

  /// Writes all documents.
  ///
  /// - Parameter progress: receives the number of documents after each.
  func write(to writer: OutputWriter, progress: (Int) -> Void) throws -> Extent {
    var extent = Extent()
    let cells = try format.separator.map { separator in
      try cellWriter(separator, reading: &extent)
    }
    try writer.append { cells?.appendHeader(to: &$0) }
    let line = DocumentLine(database: session.databaseID, isTyped: true)
    var count = 0
    try forEachDocument(&extent) { document in
      count += 1
      if format == .typed {
        let bytes = line.line(document)
        try writer.append { $0.append(contentsOf: bytes) }
      } else {
        let fields = try fieldsWithID(of: document)
        try writer.append { bytes in
          if let cells { return cells.append(fields, to: &bytes) }
          PlainJSON.append(fields, to: &bytes, relativeTo: session.databaseID)
          bytes.append(.newline)
        }
      }
      progress(count)
    }
    extent.documentCount = count
    return extent
  }

  /// Returns the number of documents in subcollections that `extent` leaves out.
  func leftOutCount(after extent: Extent) throws -> Int {
    guard !isRecursive else { return 0 }
    let subtree = Subtree(of: collection, in: session.databaseID)
    // The moment of the export may no longer be kept; then the present stands for it.
    let count =
      try (try? subtree.count(in: session, at: extent.readTime)) ?? subtree.count(in: session)
    return max(count - extent.documentCount, 0)
  }

  /// Reads the documents, once each. A second pass reads the moment of the first.
  private func forEachDocument(
    _ extent: inout Extent, _ body: (DocumentMessage) throws -> Void
  ) throws {
    let query =
      isRecursive
      ? try RunnableQuery(Subtree(of: collection, in: session.databaseID).query)
      : try RunnableQuery(session.queries.collection(collection.description).query)
    let answer = try session.run(QueryCall(query, at: extent.readTime)) { try body($0) }
    extent.readTime = answer.readTime
  }

  /// Reads all documents for the names of their fields, which become the columns.
  private func cellWriter(
    _ separator: UInt8, reading extent: inout Extent
  ) throws -> CellWriter {
    var names = MapValue()
    try forEachDocument(&extent) { document in
      for field in document.fields where names[field.name] == nil { names[field.name] = .null }
    }
    let columns = [idField] + names.map(\.name).filter { !$0.utf8Equal(idField) }
    return CellWriter(
      separator: separator, database: session.databaseID, null: null, columns: columns)
  }

  /// Returns the fields with the id among them.
  private func fieldsWithID(of document: DocumentMessage) throws(ToolFailure) -> MapValue {
    var data = document.fields
    let id = document.id
    if let present = data[idField], present != .string(id), present.integerText != id {
      throw ToolFailure.badInput(
        "\(document.name.path) has a field \(idField) that is not its id: "
          + "name another by --id-field, or export with --typed.")
    }
    if data[idField] == nil { data[idField] = .string(id) }
    return data
  }
}

extension Value {
  fileprivate var integerText: String? {
    if case .integer(let number) = self { "\(number)" } else { nil }
  }
}
