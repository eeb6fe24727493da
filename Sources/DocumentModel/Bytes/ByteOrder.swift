/// The outcome of comparing two things.
public enum Ordering: Int, Sendable, Hashable {
  /// The left one comes first.
  case less = -1
  /// Neither comes first.
  case equal = 0
  /// The right one comes first.
  case greater = 1

  /// The same comparison with its sides exchanged.
  public var reversed: Ordering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension Ordering {
  @inlinable
  package init<T: Comparable>(_ left: T, _ right: T) {
    self = left < right ? .less : (left == right ? .equal : .greater)
  }
}

// Swift compares strings by canonical equivalence, so that "é" written as one or as two code points
// is one string. Firestore compares the UTF-8 bytes. Everything in Hearth that orders, equates or
// hashes a name or a value goes through these.
extension String {
  /// Compares the UTF-8 bytes, which gives code point order (§2.3).
  package func utf8Compare(_ other: String) -> Ordering {
    utf8.span.bytes.compare(other.utf8.span.bytes)
  }

  /// Whether both have the same UTF-8 bytes.
  package func utf8Equal(_ other: String) -> Bool {
    utf8.span.bytes.equals(other.utf8.span.bytes)
  }

  package func utf8Hash(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    utf8.span.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension [UInt8] {
  /// Compares by unsigned lexicographic order, a prefix first.
  package func byteCompare(_ other: [UInt8]) -> Ordering {
    span.bytes.compare(other.span.bytes)
  }
}

extension RawSpan {
  /// Whether both are the same bytes.
  package func equals(_ other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    var offset = 0
    while offset &+ 8 <= byteCount {
      guard
        unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
          == other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      else { return false }
      offset &+= 8
    }
    while offset < byteCount {
      guard
        unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
          == other.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      else { return false }
      offset &+= 1
    }
    return true
  }

  /// Compares by unsigned lexicographic order, a prefix first.
  package func compare(_ other: RawSpan) -> Ordering {
    let shared = Swift.min(byteCount, other.byteCount)
    var offset = 0
    while offset &+ 8 <= shared {
      let left = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let right = other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      if left != right { return left.bigEndian < right.bigEndian ? .less : .greater }
      offset &+= 8
    }
    while offset < shared {
      let left = unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      let right = other.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      if left != right { return left < right ? .less : .greater }
      offset &+= 1
    }
    return Ordering(byteCount, other.byteCount)
  }
}

/// A string that equals another exactly when their UTF-8 bytes are equal: a key for dictionaries
/// and sets of names.
package struct UTF8Key: Hashable, Comparable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: UTF8Key, right: UTF8Key) -> Bool {
    left.string.utf8Equal(right.string)
  }

  package static func < (left: UTF8Key, right: UTF8Key) -> Bool {
    left.string.utf8Compare(right.string) == .less
  }

  package func hash(into hasher: inout Hasher) {
    string.utf8Hash(into: &hasher)
  }
}
