import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthReports
import HearthStorageFormat

/// Compares, space by space, the number of entries that documents account for with the number of
/// stored ones. Equal numbers prove that there are no other entries.
///
/// An index that is being built, given up or deleted has entries that no document must have. Then
/// only the entries of its space are suspect.
struct EntryBalance: Sendable {
  private struct Account: Sendable {
    /// Entries that documents must have and that are stored.
    var presentCount = 0
    var storedCount = 0
  }

  private var accounts: [EntrySpace: Account] = [:]
  /// Whether two documents may have one name and so account for the same entries.
  private var mayCountTwice = false
  /// The prefixes of keys whose space can't be read.
  private var unreadable: Set<[UInt8]> = []
  private(set) var storedCount = 0

  /// Adds an entry that a document must have.
  mutating func addExpected(
    _ key: [UInt8], _ fault: VerificationReport.Fault?
  ) throws(CorruptBytes) {
    guard let space = try EntrySpace(ofKey: key.span.bytes) else { return }
    if fault != .missingEntry { accounts[space, default: Account()].presentCount += 1 }
    // An entry holds its document's number.
    if fault == .wrongEntry, space == .names { mayCountTwice = true }
  }

  /// - Parameter prefix: the prefix of `StorageKey.entryPrefixes` that the key has.
  mutating func addStored(_ key: RawSpan, under prefix: [UInt8]) {
    storedCount += 1
    do throws(CorruptBytes) {
      guard let space = try EntrySpace(ofKey: key) else { return }
      accounts[space, default: Account()].storedCount += 1
    } catch {
      unreadable.insert(prefix)
    }
  }

  /// Returns the prefixes of keys among which there are, or may be, entries that no document
  /// accounts for. Leaves out what is left of indexes that are gone.
  func suspectPrefixes(_ view: ReadView) -> [[UInt8]] {
    let spaces = accounts.filter { space, account in
      (mayCountTwice || account.storedCount != account.presentCount) && !view.isGone(space)
    }
    let prefixes = spaces.keys.map(\.prefix).filter { prefix in
      !unreadable.contains { prefix.starts(with: $0) }
    }
    return (prefixes + unreadable).sorted { $0.lexicographicallyPrecedes($1) }
  }
}
