extension StoreBatch {
  /// Calls `body` with each operation in the order of keys. Operations on one key stay in their own
  /// order, so that their outcome is the same. The spans are valid during the call.
  ///
  /// - Complexity: n log n comparisons, mostly of integers.
  package func forEachByKey(_ body: (Operation, _ key: RawSpan, _ value: RawSpan) -> Void) {
    let all = bytes.span.bytes
    for place in placesByKey() {
      let entry = entries[place.index]
      body(
        entry.operation, all.extracting(place.start..<entry.keyEnd),
        all.extracting(entry.keyEnd..<entry.valueEnd))
    }
  }

  private func placesByKey() -> [KeyPlace] {
    let all = bytes.span.bytes
    var places: [KeyPlace] = []
    places.reserveCapacity(entries.count)
    var start = 0
    for (index, entry) in entries.enumerated() {
      places.append(KeyPlace(all.extracting(start..<entry.keyEnd), start, index))
      start = entry.valueEnd
    }
    bytes.withUnsafeBytes { all in
      func key(_ place: KeyPlace) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: all[place.start..<entries[place.index].keyEnd])
      }
      places.sort { left, right in
        if left.words != right.words { return left.words < right.words }
        let (leftKey, rightKey) = (key(left).bytes, key(right).bytes)
        if leftKey.precedes(rightKey) { return true }
        return left.index < right.index && !rightKey.precedes(leftKey)
      }
    }
    return places
  }
}

/// The place of an operation and the first bytes of its key, by which most keys differ.
private struct KeyPlace {
  let words: (UInt64, UInt64, UInt64)
  let start: Int
  let index: Int

  init(_ key: RawSpan, _ start: Int, _ index: Int) {
    words = (key.word(at: 0), key.word(at: 8), key.word(at: 16))
    self.start = start
    self.index = index
  }
}

extension RawSpan {
  /// Returns the bytes from an offset on as a big-endian number, with zeros beyond the end.
  fileprivate func word(at offset: Int) -> UInt64 {
    if offset &+ 8 <= byteCount {
      return UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var word: UInt64 = 0
    for place in offset..<max(offset, byteCount) {
      let byte = unsafeLoad(fromByteOffset: place, as: UInt8.self)
      word |= UInt64(byte) &<< UInt64(56 &- 8 &* (place &- offset))
    }
    return word
  }
}
