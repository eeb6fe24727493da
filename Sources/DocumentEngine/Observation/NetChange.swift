import DocumentModel
import StorageFormat

/// What a run of commits made of one document, whatever it was in between.
final class NetChange {
  /// `nil` if there was no such document.
  private(set) var old: StoredDocument?
  private(set) var new: StoredDocument?
  private var oldEntries: EntryList
  private var newEntries: EntryList
  private var newRecord: DocumentRecord?

  private init(_ change: DocumentChange) {
    old = change.old
    new = change.new
    oldEntries = change.oldEntries
    newEntries = change.newEntries
  }

  /// The changes of `commits`, each document once, in the order in which they were first written.
  static func merging(_ commits: ArraySlice<CommittedGroup>) -> [NetChange] {
    var positions: [ResourcePath: Int] = [:]
    var merged: [NetChange] = []
    for change in commits.lazy.flatMap(\.changes) {
      if let position = positions[change.path] {
        merged[position].new = change.new
        merged[position].newEntries = change.newEntries
      } else {
        positions[change.path] = merged.count
        merged.append(NetChange(change))
      }
    }
    return merged.filter { $0.old != nil || $0.new != nil }
  }

  /// The stored bytes of what the document became, made once for all who list it.
  func record(in database: DatabaseID) throws -> DocumentRecord {
    if let newRecord { return newRecord }
    guard let new else { throw DatabaseError(.internal, "A deleted document has no record.") }
    var bytes: [UInt8] = []
    DocumentRecord.append(new.document, own: database, to: &bytes)
    let record = try DocumentRecord(bytes, own: database)
    newRecord = record
    return record
  }

  /// Calls `body` with the keys that the document had before and has now: those of its entries and
  /// its names, with which queries find it.
  func forEachKey(_ body: (RawSpan) -> Void) {
    for (document, entries) in [(old, oldEntries), (new, newEntries)] {
      guard let document else { continue }
      let id = document.path.lastSegment ?? ""
      body(StorageKey.name(collection: document.collectionNumber, id: id).span.bytes)
      body(StorageKey.groupName(of: document.path).span.bytes)
      for index in 0..<entries.count { body(entries.key(index).span.bytes) }
    }
  }
}
