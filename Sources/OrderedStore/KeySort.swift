/// The place of a key among the bytes of many.
@usableFromInline package protocol KeyPlace: BitwiseCopyable {
  var keyStart: Int { get }
  var keyEnd: Int { get }
  /// A number by which places of the same key are ordered.
  var ordinal: UInt64 { get }
}

extension Array where Element: KeyPlace {
  /// Sorts places by the keys in `all`, in unsigned byte order, a prefix first. Places of the same
  /// key are ordered by their ordinals.
  ///
  /// The sixteen bytes after those that all keys share are compared as two integers. Keys that
  /// agree in these are sorted by the bytes that follow, in the same way.
  ///
  /// - Complexity: n log n comparisons, mostly of integers; n comparisons if the keys ascend.
  @inlinable package mutating func sortByKey(in all: RawSpan) {
    guard !isSortedByKey(in: all) else { return }
    var ranked = map { RankedKey(place: $0) }
    ranked.withUnsafeMutableBufferPointer { RankedKey.sort($0, sharing: 0, in: all) }
    for index in ranked.indices { self[index] = ranked[index].place }
  }

  /// Whether these keys ascend. Others mostly show it at once.
  @inlinable func isSortedByKey(in all: RawSpan) -> Bool {
    let places = span
    for index in places.indices.dropFirst() {
      guard places[index].follows(places[index &- 1], in: all) else { return false }
    }
    return true
  }
}

extension KeyPlace {
  /// Whether this place comes after `other` in the order of keys.
  @inlinable func follows(_ other: Self, in all: RawSpan) -> Bool {
    let (key, otherKey) = (all.key(of: self), all.key(of: other))
    if otherKey.precedes(key) { return true }
    return other.ordinal < ordinal && !key.precedes(otherKey)
  }
}

/// The place of a key, and sixteen bytes of the key, those after the bytes that it shares with the
/// others.
@usableFromInline struct RankedKey<Place: KeyPlace> {
  @usableFromInline var high: UInt64 = 0
  @usableFromInline var low: UInt64 = 0
  @usableFromInline let place: Place

  /// The number of bytes that are compared as integers.
  @inlinable static var rankByteCount: Int { 16 }

  @inlinable init(place: Place) { self.place = place }

  @inlinable var byteCount: Int { place.keyEnd &- place.keyStart }

  /// Sorts keys that are known to share `known` bytes.
  ///
  /// Each level of calls has fewer keys than the one above, and goes at least sixteen bytes further
  /// in them.
  @inlinable static func sort(
    _ keys: UnsafeMutableBufferPointer<RankedKey>, sharing known: Int, in all: RawSpan
  ) {
    let shared = sharedByteCount(of: keys, from: known, in: all)
    for index in keys.indices {
      let start = keys[index].place.keyStart &+ shared
      keys[index].high = all.integer(from: start, to: keys[index].place.keyEnd)
      keys[index].low = all.integer(from: start &+ rankByteCount / 2, to: keys[index].place.keyEnd)
    }
    var ranked = keys
    ranked.sort { ($0.high, $0.low) < ($1.high, $1.low) }
    var start = 0
    while start < ranked.count {
      let (high, low) = (ranked[start].high, ranked[start].low)
      var end = start &+ 1
      while end < ranked.count, ranked[end].high == high, ranked[end].low == low { end &+= 1 }
      let alike = UnsafeMutableBufferPointer(rebasing: ranked[start..<end])
      if alike.count > 1 { sortAlike(alike, sharing: shared, in: all) }
      start = end
    }
  }

  /// Sorts keys that agree in the sixteen bytes after the first `shared` ones.
  @inlinable static func sortAlike(
    _ keys: UnsafeMutableBufferPointer<RankedKey>, sharing shared: Int, in all: RawSpan
  ) {
    // A key that ends within these bytes agrees with keys that have zeros there.
    let next = shared &+ rankByteCount
    if keys.allSatisfy({ $0.byteCount >= next }) {
      sort(keys, sharing: next, in: all)
    } else {
      var keys = keys
      keys.sort { left, right in right.place.follows(left.place, in: all) }
    }
  }

  /// Returns the length of the longest prefix that all keys share, which is at least `known`.
  @inlinable static func sharedByteCount(
    of keys: UnsafeMutableBufferPointer<RankedKey>, from known: Int, in all: RawSpan
  ) -> Int {
    guard let first = keys.first else { return known }
    var shared = first.byteCount
    for key in keys.dropFirst() {
      let limit = Swift.min(shared, key.byteCount)
      var count = known
      while count < limit,
        all.byte(at: first.place.keyStart &+ count) == all.byte(at: key.place.keyStart &+ count)
      {
        count &+= 1
      }
      shared = count
    }
    return shared
  }
}

extension RawSpan {
  /// Returns the key at a place in these bytes.
  @_lifetime(copy self)
  @inlinable package func key(of place: some KeyPlace) -> RawSpan {
    extracting(place.keyStart..<place.keyEnd)
  }

  @inlinable func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// Returns the eight bytes from `start` as an integer, the first in the highest place, with zeros
  /// from `end` on.
  @inlinable func integer(from start: Int, to end: Int) -> UInt64 {
    if end &- start >= 8 {
      return unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).bigEndian
    }
    var integer: UInt64 = 0
    for offset in 0..<8 {
      let byte = start &+ offset < end ? byte(at: start &+ offset) : 0
      integer = integer &<< 8 | UInt64(byte)
    }
    return integer
  }
}
