import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Reads all entries of a scan, one part at a time. Only one thread at a time has it.
final class ScanBuild: @unchecked Sendable {
  enum Progress {
    case goesOn
    case isDone(ScanContent)
    /// There are more entries than may be kept.
    case isTooLarge
  }

  let key: ScanKey
  /// Whether the documents of a scan with many entries are kept too.
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

  /// The approximate memory that it takes.
  var byteCount: Int { (run?.byteCount ?? 0) + documents.byteCount }

  /// Reads up to `entryCount` further entries.
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
