import DocumentModel
import OrderedStore
import StorageFormat

/// Weighs the entries that documents account for against those that are stored, space by space: as
/// many of both prove that there are no others.
///
/// What is being built, given up or deleted has entries that no document has to have; then only
/// those of its space are others.
struct EntryBalance: Sendable {
  private struct Account: Sendable {
    /// Entries that documents must have, and that are there.
    var presentCount = 0
    var storedCount = 0
  }

  private var accounts: [EntrySpace: Account] = [:]
  /// Whether two documents may have one name, and so account for the same entries.
  private var mayCountTwice = false
  /// The prefixes of keys whose space can't be told.
  private var unreadable: Set<[UInt8]> = []
  private(set) var storedCount = 0

  /// Adds an entry that a document must have.
  mutating func addExpected(
    _ key: [UInt8], _ fault: IntegrityReport.Problem.Kind?
  ) throws(CorruptBytes) {
    guard let space = try EntrySpace(ofKey: key.span.bytes) else { return }
    if fault != .missingEntry { accounts[space, default: Account()].presentCount += 1 }
    // An entry has its document's number.
    if fault == .wrongEntry, space == .names { mayCountTwice = true }
  }

  /// - Parameter prefix: the one of all entries that the key has.
  mutating func addStored(_ key: RawSpan, under prefix: [UInt8]) {
    storedCount += 1
    do throws(CorruptBytes) {
      guard let space = try EntrySpace(ofKey: key) else { return }
      accounts[space, default: Account()].storedCount += 1
    } catch {
      unreadable.insert(prefix)
    }
  }

  /// What the keys begin with among which are entries that no document accounts for, or may be; not
  /// those of a dropped index, which are about to go.
  func suspectPrefixes(_ catalog: Catalog) -> [[UInt8]] {
    let spaces = accounts.filter { space, account in
      if case .composite(let id) = space, catalog.droppedIDs.contains(id) { return false }
      return mayCountTwice || account.storedCount != account.presentCount
    }
    let prefixes = spaces.keys.map(\.prefix).filter { prefix in
      !unreadable.contains { prefix.starts(with: $0) }
    }
    return (prefixes + unreadable).sorted { $0.lexicographicallyPrecedes($1) }
  }
}
