import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The keys that reads have looked at: single keys, and ranges in which they have seen every entry.
///
/// A batch that touches none of them doesn't change the results of these reads. Keys are added in
/// any order, with repetitions. ``merged()`` returns them in a form in which keys can be looked up.
struct ReadSet: Sendable {
  /// A range as its place in `bytes`: the lower bound, followed by the upper bound.
  private struct Place {
    var start: Int
    var lowerEnd: Int
    var end: Int
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// Whether an index was scanned. The result then also depends on the index being maintained.
  private(set) var hasScans = false

  /// Adds one key.
  mutating func insert(_ key: [UInt8]) {
    append(lower: key.span.bytes, upper: key.span.bytes, includingUpper: true)
  }

  /// Adds all keys of a range.
  mutating func insertScan(of range: KeyRange) {
    guard !range.isEmpty else { return }
    hasScans = true
    append(lower: range.lower.span.bytes, upper: range.upper.span.bytes, includingUpper: false)
  }

  /// Adds the keys from `lower` through `key`.
  mutating func insertScan(from lower: [UInt8], through key: RawSpan) {
    hasScans = true
    append(lower: lower.span.bytes, upper: key, includingUpper: true)
  }

  /// Adds the keys from `key` up to, but without, `upper`.
  mutating func insertScan(from key: RawSpan, to upper: [UInt8]) {
    hasScans = true
    append(lower: key, upper: upper.span.bytes, includingUpper: false)
  }

  /// The size of the bounds of all ranges, and of their places.
  var byteCount: Int { bytes.count + places.count * MemoryLayout<Place>.stride }

  /// The lower bounds of all ranges, in the order in which they were added. That of a single key is
  /// the key.
  var lowerBounds: [[UInt8]] { places.map { Array(bytes[$0.start..<$0.lowerEnd]) } }

  private mutating func append(lower: RawSpan, upper: RawSpan, includingUpper: Bool) {
    let start = bytes.count
    bytes.append(lower)
    let lowerEnd = bytes.count
    bytes.append(upper)
    // The first key after another is the same with a zero appended.
    if includingUpper { bytes.append(0) }
    places.append(Place(start: start, lowerEnd: lowerEnd, end: bytes.count))
  }
}

// MARK: - Looking up

extension ReadSet {
  /// Returns the same keys as ranges that ascend and don't touch each other.
  ///
  /// - Complexity: sorts the ranges.
  func merged() -> Merged {
    let all = bytes.span.bytes
    let sorted = places.sorted {
      all.extracting($0.start..<$0.lowerEnd).compare(all.extracting($1.start..<$1.lowerEnd))
        == .less
    }
    var merged = Merged(hasScans: hasScans)
    for place in sorted {
      merged.append(
        lower: all.extracting(place.start..<place.lowerEnd),
        upper: all.extracting(place.lowerEnd..<place.end))
    }
    return merged
  }

  /// A read set as sorted ranges.
  struct Merged: Sendable {
    let hasScans: Bool
    private var bytes: [UInt8] = []
    private var places: [Place] = []

    fileprivate init(hasScans: Bool) {
      self.hasScans = hasScans
    }

    var isEmpty: Bool { places.isEmpty }
    var rangeCount: Int { places.count }
    /// The size of the bounds of all ranges.
    var byteCount: Int { bytes.count }

    /// Calls `body` with each range, in order.
    func forEachRange(_ body: (KeyRange) -> Void) {
      for place in places {
        body(
          KeyRange(
            lower: Array(bytes[place.start..<place.lowerEnd]),
            upper: Array(bytes[place.lowerEnd..<place.end])))
      }
    }

    /// Adds a range that begins at or after the beginnings of all others.
    fileprivate mutating func append(lower: RawSpan, upper: RawSpan) {
      if let last = places.last, compareUpper(of: last, to: lower) != .less {
        guard compareUpper(of: last, to: upper) == .less else { return }
        bytes.removeSubrange(last.lowerEnd...)
        bytes.append(upper)
        places[places.count - 1].end = bytes.count
        return
      }
      let start = bytes.count
      bytes.append(lower)
      let lowerEnd = bytes.count
      bytes.append(upper)
      places.append(Place(start: start, lowerEnd: lowerEnd, end: bytes.count))
    }

    private func compareLower(of place: Place, to key: RawSpan) -> Ordering {
      bytes.span.bytes.extracting(place.start..<place.lowerEnd).compare(key)
    }

    private func compareUpper(of place: Place, to key: RawSpan) -> Ordering {
      bytes.span.bytes.extracting(place.lowerEnd..<place.end).compare(key)
    }

    /// - Complexity: the logarithm of the number of ranges; nothing is allocated.
    func contains(_ key: RawSpan) -> Bool {
      // The end of the ranges that begin at or before the key.
      let end = places.indices.first(reaching: {
        compareLower(of: places[$0], to: key) == .greater
      })
      return end > 0 && compareUpper(of: places[end - 1], to: key) == .greater
    }

    /// Whether `batch` touches one of the keys.
    func isTouched(by batch: StoreBatch) -> Bool {
      guard !isEmpty else { return false }
      var isTouched = false
      batch.forEach { _, key, _ in
        if !isTouched, contains(key) { isTouched = true }
      }
      return isTouched
    }
  }
}
