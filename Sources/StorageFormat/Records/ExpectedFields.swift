import HearthDocumentModel

/// The fields of one map after another, asked for by names that mostly come in the same order.
///
/// Each name is expected after the one before it, at the index that it had in the last map.
package struct ExpectedFields {
  /// The map that was read last, unless its record has noted it.
  private var ownMap = FieldPlaces()
  /// The map that was read last. It lives as long as its record and this value, unchanged.
  package private(set) var map = BorrowedFieldPlaces()
  /// Names that were asked for, in the order in which they are expected.
  private var expectations: [Expectation] = []
  /// The same names. They keep their memory, so that no other string is mistaken for them.
  private var names: [FieldName] = []
  /// Index of the name that is likely to be asked for next; ``none`` if any may be.
  private var next = none

  private static let none = Int.max
  /// Limit of the expected names. Further names are looked up without being remembered.
  private static let limit = 64

  /// Creates the fields of a map without any.
  package init() {}

  /// Reads the map at `place`. Later calls take the same record.
  ///
  /// - Parameter expectsNames: whether names will come in the order in which they came before.
  /// - Returns: `false` for a value of another type.
  package mutating func read(
    _ record: borrowing DocumentRecord, at place: Int, expectsNames: Bool
  ) throws(CorruptBytes) -> Bool {
    next = expectsNames ? 0 : ExpectedFields.none
    map = BorrowedFieldPlaces()
    if place == record.root, let places = record.places {
      map = places
      return true
    }
    guard try record.read(&ownMap, at: place) else { return false }
    map = ownMap.borrowed
    return true
  }

  /// Turns the expectations off for the rest of this map.
  package mutating func expectAnyName() { next = ExpectedFields.none }

  /// Returns the place of a field; `nil` if there is none.
  @inline(never)
  package mutating func place(of name: String, in record: borrowing DocumentRecord) -> Int? {
    let number = next
    guard number < expectations.count,
      expectations.withUnsafeBufferPointer({ $0[number].isIdentical(to: name) })
    else { return search(name, record) }
    next = number &+ 1
    return expectedPlace(number, record) ?? search(expected: number, record)
  }

  /// Returns the place of an expected name, if it is where it was in one of two earlier maps.
  @inline(__always)
  private func expectedPlace(_ number: Int, _ record: borrowing DocumentRecord) -> Int? {
    let bytes = record.bytes
    return expectations.withUnsafeBufferPointer { expectations in
      map.place(at: Int(expectations[number].index), ifNamed: expectations[number].name, in: bytes)
        ?? map.place(
          at: Int(expectations[number].otherIndex), ifNamed: expectations[number].name, in: bytes)
    }
  }

  /// Returns the place of an expected name that is elsewhere, or was not asked for before.
  @inline(never)
  private mutating func search(
    expected number: Int, _ record: borrowing DocumentRecord
  ) -> Int? {
    let name = names[number]
    let lastIndex = expectations[number].index
    guard !map.lacks(name.mark, at: Int(lastIndex), in: record.bytes) else { return nil }
    let index = map.index(of: name, in: record.bytes)
    // A field that is missing here will often be missing between the same neighbours.
    expectations[number].move(to: index ?? map.firstIndex(after: name.mark, in: record.bytes))
    return index.map { map.place(at: $0) }
  }

  /// Returns the place of a name that was not expected.
  @inline(never)
  private mutating func search(_ name: String, _ record: borrowing DocumentRecord) -> Int? {
    let name = FieldName(name)
    let number =
      expectations.firstIndex { $0.isIdentical(to: name.text) } ?? expectations.count
    guard next != ExpectedFields.none, name.mark.isWhole, number < ExpectedFields.limit else {
      return map.index(of: name, in: record.bytes).map { map.place(at: $0) }
    }
    if number == expectations.count {
      expectations.append(Expectation(name, index: number))
      names.append(name)
    }
    next = number &+ 1
    return search(expected: number, record)
  }
}

/// A name that was asked for, and its last two indexes among the fields. Most documents of a type
/// have their fields in one of two orders.
private struct Expectation {
  let name: FieldName.Probe
  // An index of a field, or the number of fields or of expected names: below 2^24.
  private(set) var index: UInt32
  private(set) var otherIndex: UInt32
  private let bits: (UInt64, UInt64)

  init(_ name: FieldName, index: Int) {
    self.name = FieldName.Probe(name.mark)
    self.index = UInt32(truncatingIfNeeded: index)
    otherIndex = self.index
    bits = Expectation.bits(of: name.text)
  }

  /// Expects the name at `index`, and next to it where it was expected before.
  mutating func move(to index: Int) {
    otherIndex = self.index
    self.index = UInt32(truncatingIfNeeded: index)
  }

  /// Whether `name` is the very same string in memory, and so has the same bytes. If not, its bytes
  /// may still be the same.
  @inline(__always)
  func isIdentical(to name: String) -> Bool { bits == Expectation.bits(of: name) }

  @inline(__always)
  private static func bits(of string: String) -> (UInt64, UInt64) {
    unsafeBitCast(string, to: (UInt64, UInt64).self)
  }
}
