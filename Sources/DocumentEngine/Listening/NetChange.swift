import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The change that a run of commits made to one document, as their batches tell it: its stored
/// bytes afterwards, and the keys by which queries found it before.
final class NetChange {
  let number: UInt64
  /// The version after the commits; `nil` if they deleted the document.
  private(set) var new: ChangedDocument?
  /// The bytes of that version, until they are decoded.
  fileprivate var bytes: [UInt8]?
  /// Keys that were deleted with versions of the document.
  fileprivate var deletedKeys: [[UInt8]] = []
  /// The catalogue with which the new version was written.
  fileprivate var catalog: Catalog

  fileprivate init(_ number: UInt64, _ catalog: Catalog) {
    self.number = number
    self.catalog = catalog
  }

  /// Returns the changes of `commits`, each document once, in the order in which they were first
  /// written. A document that was deleted and created again is two documents.
  ///
  /// - Parameter view: a view that contains the commits.
  /// - Complexity: linear in the batches, with one document to decode for each that was put.
  static func merging(_ commits: ArraySlice<Commit>, in view: ReadView) throws -> [NetChange] {
    var merged = MergedChanges()
    for commit in commits { try merged.add(commit) }
    for change in merged.list { try change.decode(in: view) }
    return merged.list
  }

  private func decode(in view: ReadView) throws {
    guard let bytes else { return }
    new = try ChangedDocument(number, DocumentRecord(bytes, own: view.databaseID), in: view)
    self.bytes = nil
  }

  /// Calls `body` with the keys by which queries found the document before and find it now: those
  /// of its entries and names.
  ///
  /// All entries of the new version are made here, since batches lack those that it has in common
  /// with the version before.
  func forEachKey(_ body: (RawSpan) -> Void) {
    for key in deletedKeys { body(key.span.bytes) }
    guard let stored = new?.stored else { return }
    let id = stored.path.lastSegment ?? ""
    body(StorageKey.name(collection: stored.collectionNumber, id: id).span.bytes)
    body(StorageKey.groupName(of: stored.path).span.bytes)
    let entries = IndexEntries(of: stored, catalog: catalog).list()
    for index in 0..<entries.count { body(entries.key(index).span.bytes) }
  }
}

/// A version of a document that a commit has written.
struct ChangedDocument {
  let record: DocumentRecord
  let stored: StoredDocument

  fileprivate init(_ number: UInt64, _ record: DocumentRecord, in view: ReadView) throws {
    let document = try record.document()
    guard let collection = try view.collectionNumber(ofDocument: document.path) else {
      throw DatabaseError.damaged("\(document.path) exists, but its collection has no number.")
    }
    self.record = record
    stored = StoredDocument(number: number, collectionNumber: collection, document: document)
  }
}

/// The changes of some commits, merged by document.
private struct MergedChanges {
  private(set) var list: [NetChange] = []
  private var positions: [UInt64: Int] = [:]

  mutating func add(_ commit: Commit) throws(CorruptBytes) {
    var current: NetChange?
    try commit.batch.forEach { (operation, key, value) throws(CorruptBytes) in
      if StorageKey.isDocument(key) {
        let change = change(of: try StorageKey.documentNumber(of: key), commit.catalog)
        change.bytes = operation == .put ? [UInt8](copying: value) : nil
        change.catalog = commit.catalog
        current = change
      } else if operation == .delete {
        current?.deletedKeys.append([UInt8](copying: key))
      }
    }
  }

  private mutating func change(of number: UInt64, _ catalog: Catalog) -> NetChange {
    if let position = positions[number] { return list[position] }
    let change = NetChange(number, catalog)
    positions[number] = list.count
    list.append(change)
    return change
  }
}
