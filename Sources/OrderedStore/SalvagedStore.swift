/// What can still be read of a store whose files are damaged, and what can't be vouched for.
///
/// It changes nothing. Used by one thread at a time.
package protocol SalvagedStore: AnyObject {
  /// What can't be read.
  var damage: [StoreDamage] { get }

  /// Calls `body` with the newest version that can be read of each key from `lower` up to `upper`,
  /// in order, until it returns `false`. Keys of which no version can be read are left out.
  ///
  /// - Throws: what `body` throws; `.inputOutput` where a file changes meanwhile.
  func forEachVersion(
    from lower: [UInt8], to upper: [UInt8], _ body: (SalvagedVersion) throws -> Bool
  ) throws
}

extension SalvagedStore {
  /// The newest version of `key` that can be read, or `nil`.
  package func newestVersion(of key: [UInt8]) throws -> SalvagedVersion? {
    var found: SalvagedVersion?
    try forEachVersion(from: key, to: key + [0]) { version in
      found = version
      return false
    }
    return found
  }
}

/// The newest version of a key that can be read.
package struct SalvagedVersion: Sendable {
  package let key: [UInt8]
  /// `nil` where the key was deleted.
  package let value: [UInt8]?
  /// Higher than that of any write before, whatever its key.
  package let sequence: UInt64
  /// The place in `damage` of something that may hold a newer version or a later delete; `nil`
  /// where there is none, so that this is what the store holds.
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
  /// The file and the place in it, in words.
  package let place: String
  /// The keys that may have stood there: from `lower` up to `upper`, `nil` being the end of all.
  package let lower: [UInt8]
  package let upper: [UInt8]?

  /// No keys where `upper` is `lower`.
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
