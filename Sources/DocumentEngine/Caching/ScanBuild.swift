import DocumentModel
import OrderedStore
import StorageFormat

/// Reads all entries of a scan, a part at a time. One thread at a time has it.
final class ScanBuild: @unchecked Sendable {
  enum Progress {
    case goesOn
    case isDone(ScanContent)
    /// There are more entries than were wanted.
    case isTooLarge
  }

  let key: ScanKey
  /// Whether a scan with many entries is wanted too, for its documents.
  private let keepsDocuments: Bool
  private var run: ScanEntries? = ScanEntries()
  private var documents = DocumentBitmap()
  private let snapshot: any StoreSnapshot
  private var cursor: (any StoreCursor)?

  init(_ key: ScanKey, keepingDocuments keepsDocuments: Bool, in snapshot: any StoreSnapshot) {
    self.key = key
    self.keepsDocuments = keepsDocuments
    self.snapshot = snapshot
  }

  /// About the memory that it takes.
  var byteCount: Int { (run?.byteCount ?? 0) + documents.byteCount }

  /// Reads up to `entryCount` entries more.
  func readOn(_ entryCount: Int) throws -> Progress {
    let cursor = try cursor ?? begin()
    let range = KeyRange.prefix(key.bytes)
    for _ in 0...max(entryCount, 1) {
      guard cursor.isValid, range.contains(cursor.key) else {
        try cursor.checkReads()
        return .isDone(run.map { .entries($0) } ?? .documents(documents))
      }
      let number = try EntryValue.read(cursor.value).documentNumber
      guard DocumentBitmap.canHold(number) else { return .isTooLarge }
      run?.append(cursor.key.extracting(droppingFirst: key.bytes.count), number)
      if keepsDocuments { documents.insert(number) }
      if let count = run?.count, count > ScanEntries.countLimit { run = nil }
      guard run != nil || keepsDocuments else { return .isTooLarge }
      try cursor.next()
    }
    return .goesOn
  }

  private func begin() throws -> any StoreCursor {
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: key.bytes)
    self.cursor = cursor
    return cursor
  }
}
