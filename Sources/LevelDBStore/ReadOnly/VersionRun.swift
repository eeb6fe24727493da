import HearthOrderedStore

/// A position among versions of keys in order: those in a level's tables, or in the logs.
///
/// After a move past an end only a seek is allowed.
protocol VersionRun: AnyObject {
  var isValid: Bool { get }
  var key: InternalKey { get }
  var value: ArraySlice<UInt8> { get }
  /// First error about a part that could not be read and was passed over; `nil` if there is none.
  var damage: StoreError? { get }

  /// Moves to the first version at or after `key`.
  func seek(to key: InternalKey) throws(StoreError)
  /// Moves to the last version before `key`.
  func seek(before key: InternalKey) throws(StoreError)
  func next() throws(StoreError)
  func previous() throws(StoreError)
}

extension VersionRun {
  /// Whether the version is a value: neither a delete nor a dead value in place of one.
  ///
  /// Requires `isValid`.
  var holdsValue: Bool { !key.isDeletion && !DeadValue.matches(value) }
}

/// A position among the newest versions in the logs.
final class LoggedRun: VersionRun {
  private let versions: LoggedVersionList
  private var position = -1

  init(_ versions: LoggedVersionList) {
    self.versions = versions
  }

  var isValid: Bool { versions.entries.indices.contains(position) }
  var key: InternalKey { versions.entries[position].key }
  var value: ArraySlice<UInt8> { versions.entries[position].value }
  var damage: StoreError? { nil }

  func seek(to key: InternalKey) { position = versions.firstIndex(atOrAfter: key) }
  func seek(before key: InternalKey) { position = versions.firstIndex(atOrAfter: key) - 1 }
  func next() { position += 1 }
  func previous() { position -= 1 }
}
