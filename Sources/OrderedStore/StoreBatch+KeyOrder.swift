extension StoreBatch {
  /// Calls `body` with each operation in the order of keys. Operations on one key stay in their own
  /// order, so that their outcome is the same. The spans are valid during the call.
  ///
  /// - Complexity: n log n comparisons, mostly of integers.
  package func forEachByKey(_ body: (Operation, _ key: RawSpan, _ value: RawSpan) -> Void) {
    let all = bytes.span.bytes
    for place in placesByKey() {
      let entry = entries[Int(place.index)]
      body(
        entry.operation, all.key(of: place), all.extracting(entry.keyEnd..<entry.valueEnd))
    }
  }

  private func placesByKey() -> [OperationPlace] {
    var places: [OperationPlace] = []
    places.reserveCapacity(entries.count)
    var start = 0
    for (index, entry) in entries.enumerated() {
      places.append(
        OperationPlace(
          keyStart: start, keyByteCount: UInt32(entry.keyEnd - start), index: UInt32(index)))
      start = entry.valueEnd
    }
    places.sortByKey(in: bytes.span.bytes)
    return places
  }
}

/// The place of an operation and its key.
private struct OperationPlace: KeyPlace {
  let keyStart: Int
  let keyByteCount: UInt32
  let index: UInt32

  var keyEnd: Int { keyStart &+ Int(keyByteCount) }
  var ordinal: UInt64 { UInt64(index) }
}
