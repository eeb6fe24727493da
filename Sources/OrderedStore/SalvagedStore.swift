/// The readable rest of a store whose files are damaged, with the list of unreadable parts.
///
/// It changes nothing. One thread at a time may use it.
package protocol SalvagedStore: AnyObject {
  /// Parts that can't be read.
  var damage: [StoreDamage] { get }

  /// Calls `body` with the newest readable version of each key from `lower` up to `upper`, in
  /// order, until it returns `false`. Keys without a readable version are left out.
  ///
  /// - Throws: the errors of `body`; `.inputOutput` if a file changes meanwhile.
  func forEachVersion(
    from lower: [UInt8], to upper: [UInt8], _ body: (SalvagedVersion) throws -> Bool
  ) throws
}

extension SalvagedStore {
  /// Returns the newest readable version of `key`; `nil` if there is none.
  package func newestVersion(of key: [UInt8]) throws -> SalvagedVersion? {
    var found: SalvagedVersion?
    try forEachVersion(from: key, to: key + [0]) { version in
      found = version
      return false
    }
    return found
  }
}

/// The newest readable version of a key.
package struct SalvagedVersion: Sendable {
  package let key: [UInt8]
  /// Value of the key; `nil` if it was deleted.
  package let value: [UInt8]?
  /// Sequence number of the write, higher than that of any earlier write to any key.
  package let sequence: UInt64
  /// Index in `damage` of a part that may hold a newer version or a later delete; `nil` if there is
  /// none, so that the store holds this version.
  package let doubt: Int?

  package init(key: [UInt8], value: [UInt8]?, sequence: UInt64, doubt: Int?) {
    self.key = key
    self.value = value
    self.sequence = sequence
    self.doubt = doubt
  }
}

/// A part of a store that can't be read.
package struct StoreDamage: Sendable {
  /// File and place in it, in words.
  package let place: String
  /// The keys that may have been there: from `lower` up to `upper`, or to the end if it is `nil`.
  package let lower: [UInt8]
  package let upper: [UInt8]?

  /// Makes a damage that concerns no keys if `upper` equals `lower`.
  package init(place: String, lower: [UInt8], upper: [UInt8]?) {
    self.place = place
    self.lower = lower
    self.upper = upper
  }

  package func touches(from lower: [UInt8], to upper: [UInt8]) -> Bool {
    guard self.lower.precedes(upper) else { return false }
    guard let end = self.upper else { return true }
    return lower.precedes(end) && self.lower.precedes(end)
  }
}
