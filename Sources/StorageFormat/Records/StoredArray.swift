/// The elements of a stored array, in sequence.
package struct StoredArray: Sendable {
  package let count: Int
  /// The place of the array itself.
  package let place: Int
  /// The number of elements that were skipped.
  package private(set) var index = 0
  /// The place of the next element, if there is one.
  package private(set) var next: Int
  fileprivate let end: Int

  fileprivate init?(at place: Int, of record: DocumentRecord) throws(CorruptBytes) {
    guard place != record.root else { return nil }
    var reader = record.reader(at: place)
    guard try reader.readTag() == .array else { return nil }
    end = try reader.readEnclosedStart(0)
    count = try reader.readCount("element count")
    self.place = place
    next = reader.offset
    if count == 0 { try reader.requireOffset(end) }
  }

  /// Moves past the next element.
  package mutating func pass(in record: DocumentRecord) throws(CorruptBytes) {
    var reader = record.reader(at: next)
    try reader.skipValue()
    next = reader.offset
    index &+= 1
    if index == count { try reader.requireOffset(end) }
  }
}

extension DocumentRecord {
  package func array(at place: Int) throws(CorruptBytes) -> StoredArray? {
    try StoredArray(at: place, of: self)
  }

  /// Returns the elements of an array of strings; `nil` for another value, and for an array that
  /// holds anything else.
  package func strings(at place: Int) throws(CorruptBytes) -> [String]? {
    guard let array = try array(at: place) else { return nil }
    guard array.count > 0 else { return [] }
    var strings: [String] = []
    strings.reserveCapacity(Swift.min(array.count, 64))
    var reader = self.reader(at: array.next)
    for _ in 0..<array.count {
      guard try reader.readTag() == .string else { return nil }
      strings.append(try reader.readString("string"))
    }
    try reader.requireOffset(array.end)
    return strings
  }
}

// MARK: - The way to a place

/// One step from a map or an array to a value in it.
package enum PlaceStep: Sendable, Equatable {
  case field(String)
  case element(Int)
}

extension DocumentRecord {
  /// Returns the steps from the root to the value at `place`. It searches for them, so that readers
  /// don't have to record them before an error occurs.
  ///
  /// - Complexity: skips the values before `place`.
  package func way(to place: Int) throws(CorruptBytes) -> [PlaceStep] {
    var steps: [PlaceStep] = []
    var here = root
    while here != place {
      guard let step = try step(from: here, towards: place) else {
        throw CorruptBytes("value", at: place)
      }
      steps.append(step.step)
      here = step.place
    }
    return steps
  }

  private func step(
    from here: Int, towards place: Int
  ) throws(CorruptBytes) -> (step: PlaceStep, place: Int)? {
    if let map = try map(at: here) {
      for index in 0..<map.count
      where map.place(at: index) <= place
        && (index + 1 == map.count || place < map.place(at: index + 1))
      {
        return (.field(try map.name(at: index, in: bytes)), map.place(at: index))
      }
    } else if var array = try array(at: here) {
      while array.index < array.count {
        let (element, index) = (array.next, array.index)
        try array.pass(in: self)
        if place >= element, place < array.next { return (.element(index), element) }
      }
    }
    return nil
  }
}
