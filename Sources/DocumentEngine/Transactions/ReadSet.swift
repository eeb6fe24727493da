import DocumentModel
import OrderedStore
import StorageFormat

/// The keys that reads have looked at: single ones, and ranges of which they have seen every entry.
///
/// A batch that touches none of them leaves the answers of all these reads as they were. Gathered
/// in any order, with repetitions; ``merged()`` makes of it what keys are looked up in.
struct ReadSet: Sendable {
  /// A range as its place in `bytes`: the lower bound, and behind it the upper one.
  private struct Place {
    var start: Int
    var lowerEnd: Int
    var end: Int
  }

  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// Whether an index was scanned: such an answer also depends on the index being maintained.
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

  /// Adds the keys from `lower` up to and with `key`.
  mutating func insertScan(from lower: [UInt8], through key: RawSpan) {
    hasScans = true
    append(lower: lower.span.bytes, upper: key, includingUpper: true)
  }

  /// Adds the keys from `key` up to, and without, `upper`.
  mutating func insertScan(from key: RawSpan, to upper: [UInt8]) {
    hasScans = true
    append(lower: key, upper: upper.span.bytes, includingUpper: false)
  }

  private mutating func append(lower: RawSpan, upper: RawSpan, includingUpper: Bool) {
    let start = bytes.count
    bytes.append(lower)
    let lowerEnd = bytes.count
    bytes.append(upper)
    // Behind a key comes first the same with a zero.
    if includingUpper { bytes.append(0) }
    places.append(Place(start: start, lowerEnd: lowerEnd, end: bytes.count))
  }
}

// MARK: - Looking up

extension ReadSet {
  /// The same keys as ranges that ascend and don't touch each other.
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

  /// A read set in order.
  struct Merged: Sendable {
    let hasScans: Bool
    private var bytes: [UInt8] = []
    private var places: [Place] = []

    fileprivate init(hasScans: Bool) {
      self.hasScans = hasScans
    }

    var isEmpty: Bool { places.isEmpty }

    /// Adds a range that begins at or behind all others.
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
      var low = 0
      var high = places.count
      // Ends behind the last range that begins at or before the key.
      while low < high {
        let middle = (low + high) / 2
        if compareLower(of: places[middle], to: key) == .greater {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return low > 0 && compareUpper(of: places[low - 1], to: key) == .greater
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
