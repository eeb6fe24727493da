import HearthOrderedStore

/// A position among versions of keys in order: those in a level's tables, or in the logs.
///
/// Keys are the bytes of an ``InternalKey``. After a move past an end only a seek is allowed.
protocol VersionRun: AnyObject {
  var isValid: Bool { get }
  var key: [UInt8] { get }
  var value: ArraySlice<UInt8> { get }
  /// First error about a part that could not be read and was passed over; `nil` if there is none.
  var damage: StoreError? { get }

  /// Moves to the first version at or after `key`.
  func seek(to key: [UInt8]) throws(StoreError)
  /// Moves to the last version before `key`.
  func seek(before key: [UInt8]) throws(StoreError)
  func next() throws(StoreError)
  func previous() throws(StoreError)
}

extension VersionRun {
  /// Whether the version is a value: neither a delete nor a dead value in place of one.
  ///
  /// Requires `isValid`.
  var holdsValue: Bool { !InternalKey.isDeletion(key) && !DeadValue.matches(value) }
}

/// A position among the newest versions in the logs.
final class LoggedRun: VersionRun {
  private let versions: LoggedVersionList
  private var position = -1

  init(_ versions: LoggedVersionList) {
    self.versions = versions
  }

  var isValid: Bool { versions.entries.indices.contains(position) }
  var key: [UInt8] { versions.entries[position].key }
  var value: ArraySlice<UInt8> { versions.entries[position].value }
  var damage: StoreError? { nil }

  func seek(to key: [UInt8]) { position = versions.firstIndex(atOrAfter: key) }
  func seek(before key: [UInt8]) { position = versions.firstIndex(atOrAfter: key) - 1 }
  func next() { position += 1 }
  func previous() { position -= 1 }
}

/// The newest version of each key in the logs.
struct LoggedVersionList: Sendable {
  struct Entry: Sendable {
    /// The bytes of an ``InternalKey``.
    let key: [UInt8]
    /// Empty for a delete.
    let value: ArraySlice<UInt8>
  }

  private(set) var entries: [Entry] = []

  /// Adds the operations of a batch; `sort()` must follow the last one.
  mutating func append(_ batch: LoggedBatch, _ payload: [UInt8]) {
    batch.forEachOperation(in: payload.span.bytes) { sequence, key, value in
      let key = InternalKey(
        userKey: Array(payload[key]), sequence: sequence, isDeletion: value == nil)
      entries.append(Entry(key: key.bytes, value: value.map { payload[$0] } ?? []))
    }
  }

  /// Sorts the operations, and keeps only the newest of each key.
  mutating func sort() {
    entries.sort { InternalKey.precedes($0.key, $1.key) }
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    for entry in entries {
      if let last = kept.last, InternalKey.haveSameUserKey(last.key, entry.key) { continue }
      kept.append(entry)
    }
    entries = kept
  }

  func firstIndex(atOrAfter key: [UInt8]) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if InternalKey.precedes(entries[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
