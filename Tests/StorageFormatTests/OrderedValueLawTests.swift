import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

/// Law 1: the byte order of encodings is the order of values, in both directions.
@Suite struct OrderedValueLawTests {
  let own = DatabaseID.default
  let generator = ValueGenerator()

  func encoded(_ value: Value, _ order: ColumnOrder) -> (bytes: [UInt8], isCut: Bool) {
    var bytes: [UInt8] = []
    let isCut = ValueEncoder(own: own).append(value, order, to: &bytes)
    return (bytes, isCut)
  }

  @Test func byteOrderIsValueOrder() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var (equalCount, cutCount, sameClassCount) = (0, 0, 0)
    for _ in 0..<GeneratedCases.count {
      let (left, right) = generator.pair(using: &random)
      let expected = left.compareAsIndexed(right)
      let (a, b) = (encoded(left, .ascending), encoded(right, .ascending))
      let (c, d) = (encoded(left, .descending), encoded(right, .descending))
      guard a.bytes.span.bytes.compare(b.bytes.span.bytes) == expected else {
        Issue.record("\(left)\n\(right)\nvalues \(expected), bytes differ ascending")
        return
      }
      guard c.bytes.span.bytes.compare(d.bytes.span.bytes) == expected.reversed else {
        Issue.record("\(left)\n\(right)\nvalues \(expected), bytes differ descending")
        return
      }
      if expected == .equal { equalCount += 1 }
      if a.isCut || b.isCut { cutCount += 1 }
      if left.typeClass == right.typeClass { sameClassCount += 1 }
    }
    print("  equal \(equalCount), cut \(cutCount), of one class \(sameClassCount)")
    guard GeneratedCases.areMany() else { return }
    #expect(equalCount * 10 > GeneratedCases.count)
    #expect(cutCount * 20 > GeneratedCases.count)
    #expect(sameClassCount * 2 > GeneratedCases.count)
  }

  /// An uncut value is whole in the key, so that it differs from every other one there.
  @Test func valuesThatAreNotCutKeepTheirFullOrder() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var keptCount = 0
    for _ in 0..<GeneratedCases.count {
      let (left, right) = generator.pair(using: &random)
      let (a, b) = (encoded(left, .ascending), encoded(right, .ascending))
      guard !a.isCut, !b.isCut else { continue }
      keptCount += 1
      #expect(a.bytes.span.bytes.compare(b.bytes.span.bytes) == left.compare(right))
    }
    if GeneratedCases.areMany() { #expect(keptCount * 2 > GeneratedCases.count) }
  }

  @Test func columnsInARowSortLikeTheirValuesInTurn() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count {
      let orders = (0..<Int.random(in: 2...3, using: &random)).map { _ -> ColumnOrder in
        random.oneIn(2) ? .ascending : .descending
      }
      let pairs = orders.map { _ in
        random.oneIn(2)
          ? generator.pair(using: &random) : repeated(generator.value(using: &random))
      }
      let names = (
        random.pick(["a", "b", "a\u{0}", "\u{E9}"]), random.pick(["a", "a!", "\u{E9}"])
      )
      var (left, right): ([UInt8], [UInt8]) = ([], [])
      var expected = Ordering.equal
      for (order, pair) in zip(orders, pairs) {
        left += encoded(pair.0, order).bytes
        right += encoded(pair.1, order).bytes
        let column = pair.0.compareAsIndexed(pair.1)
        if expected == .equal { expected = order == .ascending ? column : column.reversed }
      }
      OrderedName.append(documentID: names.0, orders[0], to: &left)
      OrderedName.append(documentID: names.1, orders[0], to: &right)
      let name = names.0.utf8Compare(names.1)
      if expected == .equal { expected = orders[0] == .ascending ? name : name.reversed }
      guard left.span.bytes.compare(right.span.bytes) == expected else {
        Issue.record("\(pairs)\n\(orders) \(names): expected \(expected)")
        return
      }
    }
  }

  private func repeated(_ value: Value) -> (Value, Value) { (value, value) }

  @Test(arguments: [ColumnOrder.ascending, .descending])
  func decodingUndoesEncoding(_ order: ColumnOrder) throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var inexactCount = 0
    for _ in 0..<GeneratedCases.count {
      let value = generator.value(using: &random)
      let (bytes, isCut) = encoded(value, order)
      let flags = ColumnFlags(value, isCut: isCut)
      let padded = [0x77] + bytes + [0x00, 0xFF]
      var offset = 1
      let decoded = try OrderedValue.decode(
        from: padded.span.bytes, at: &offset, order, own: own, kind: flags.kind)
      #expect(offset == 1 + bytes.count)
      #expect(decoded.compareAsIndexed(value) == .equal || isCut, "\(value)")
      if flags.isInexact { inexactCount += 1 }
      #expect((decoded == value) == !(isCut || flags.isInexact), "\(value) became \(decoded)")
    }
    if GeneratedCases.areMany() { #expect(inexactCount > 0) }
  }

  @Test(arguments: [ColumnOrder.ascending, .descending])
  func theEndOfAColumnIsFoundWithoutDecoding(_ order: ColumnOrder) throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count {
      let value = generator.value(using: &random)
      let bytes = encoded(value, order).bytes
      let padded = [0x77] + bytes + [0x00, 0xFF]
      let end = try OrderedValue.endOfValue(in: padded.span.bytes, at: 1, order)
      #expect(end == 1 + bytes.count, "\(value)")
    }
  }

  @Test(arguments: [ColumnOrder.ascending, .descending])
  func theBoundsOfAClassEncloseItAndNothingElse(_ order: ColumnOrder) {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count {
      let value = generator.value(using: &random)
      let bytes = encoded(value, order).bytes
      for typeClass in Value.TypeClass.allCases {
        let bounds = OrderedValue.bounds(of: typeClass, order)
        let isInside = KeyRange(lower: bounds.lower, upper: bounds.upper).contains(bytes.span.bytes)
        #expect(isInside == (typeClass == value.typeClass && !value.isNaN), "\(value)")
      }
    }
  }
}
