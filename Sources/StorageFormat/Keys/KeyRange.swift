import HearthDocumentModel

/// A range of keys from `lower` up to, but not including, `upper`.
package struct KeyRange: Sendable, Hashable {
  package var lower: [UInt8]
  package var upper: [UInt8]

  package init(lower: [UInt8], upper: [UInt8]) {
    self.lower = lower
    self.upper = upper
  }

  /// A bound above every key: no key begins with FF.
  package static let endOfKeys: [UInt8] = [0xFF]

  package static let all = KeyRange(lower: [], upper: endOfKeys)

  /// Returns the range of all keys that begin with `prefix`.
  package static func prefix(_ prefix: [UInt8]) -> KeyRange {
    KeyRange(lower: prefix, upper: successor(of: prefix))
  }

  /// Returns the smallest bytes above everything that begins with `prefix`; ``endOfKeys`` if there
  /// are none.
  package static func successor(of prefix: [UInt8]) -> [UInt8] {
    guard let index = prefix.lastIndex(where: { $0 != 0xFF }) else { return endOfKeys }
    var successor = Array(prefix[...index])
    successor[index] &+= 1
    return successor
  }

  package var isEmpty: Bool { lower.span.bytes.compare(upper.span.bytes) != .less }

  package func contains(_ key: RawSpan) -> Bool {
    lower.span.bytes.compare(key) != .greater && key.compare(upper.span.bytes) == .less
  }

  /// Returns the range of the keys in both; an empty range if there are none.
  package func intersection(_ other: KeyRange) -> KeyRange {
    KeyRange(
      lower: lower.span.bytes.compare(other.lower.span.bytes) == .less ? other.lower : lower,
      upper: upper.span.bytes.compare(other.upper.span.bytes) == .greater ? other.upper : upper)
  }
}
