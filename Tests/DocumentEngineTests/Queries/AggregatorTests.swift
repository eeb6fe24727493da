import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

@Suite struct AggregatorTests {
  private func total(_ values: [Value]) -> NumberTotal {
    var total = NumberTotal()
    for value in values { total.add(value) }
    return total
  }

  private func sum(_ values: Value...) -> Value { total(values).sum }
  private func average(_ values: Value...) -> Value { total(values).average }

  @Test func onlyNumbersCount() {
    #expect(sum() == 0)
    #expect(average() == .null)
    #expect(sum("4", .null, true, [1]) == 0)
    #expect(average("4", .null) == .null)
    #expect(sum(1, "4", 2) == 3)
    #expect(average(1, "4", 2) == 1.5)
  }

  @Test func theFinalSumOfIntegersDecides() {
    #expect(sum(.integer(.max), 1, -101) == .integer(.max - 100))
    #expect(sum(.integer(.max), .integer(.max)) == 1.8446744073709552e19)
    #expect(sum(.integer(.max), 1) == 9.223372036854775808e18)
    #expect(sum(.integer(.min), .integer(.min), .integer(.max), .integer(.max), 2) == 0)
    #expect(sum(.integer(1 << 53), 1) == .integer(1 << 53 + 1))
    #expect(average(.integer(.max), .integer(.max)) == 9.223372036854775807e18)
  }

  @Test func oneDoubleMakesTheSumADouble() {
    #expect(sum(5, 4.5, 3.5) == 13.0)
    #expect(sum(.double(2)) == .double(2))
    #expect(sum(1, .double(-0.0)) == .double(1))
    #expect(average(5, 4.5, 3.5) == .double(13.0 / 3))
  }

  @Test func doublesLeaveTheirRange() {
    let most = Value.double(.greatestFiniteMagnitude)
    #expect(sum(most, most) == .double(.infinity))
    #expect(average(most, most) == .double(.infinity))
    #expect(average(.double(.leastNonzeroMagnitude), 0) == .double(0))
    #expect(sum(.double(.infinity), .integer(.max)) == .double(.infinity))
  }

  @Test func nanStays() {
    func isNaN(_ value: Value) -> Bool { if case .double(let d) = value { d.isNaN } else { false } }
    #expect(isNaN(sum(1, .double(.nan), 2.5)))
    #expect(isNaN(average(1, .double(.nan))))
    #expect(isNaN(sum(.double(.infinity), .double(-.infinity))))
  }

  private let n = FieldPath(unchecked: ["n"])
  private let d = FieldPath(unchecked: ["d"])

  @Test func figuresComeInTheirOrderUnderTheirNames() throws {
    let aggregation = try NormalizedAggregation(
      AggregationQuery(
        StructuredQuery(collectionID: "c"),
        [.sum(n, as: "total"), .count(), .average(d), .count(upTo: 2, as: "few"), .average(n)]),
      in: .default)
    var aggregator = Aggregator(aggregation.figures)
    for number in 1...3 { aggregator.add { $0 == d ? 0.5 : .integer(Int64(number)) } }
    let expected: [(String, Value)] = [
      ("total", 6), ("field_1", 3), ("field_2", 0.5), ("few", 2), ("field_3", 2.0),
    ]
    #expect(aggregator.values.map(\.alias) == expected.map(\.0))
    #expect(aggregator.values.map(\.value) == expected.map(\.1))
  }

  /// Integers have one sum in any order, and however they are split.
  @Test func sumsOfIntegersDoNotDependOnTheirOrder() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count(per: 10) {
      let extremes: [Int64] = [.max, .min, .max - 1, 1 << 53, 1, -1, 0]
      var numbers = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        random.oneIn(3) ? Int64.random(in: .min ... .max, using: &random) : random.pick(extremes)
      }
      // Digit by digit in pairs that can't overflow, instead of in one wide number.
      let high = numbers.reduce(Int64(0)) { $0 + ($1 >> 32) }
      let low = numbers.reduce(Int64(0)) { $0 + ($1 & 0xFFFF_FFFF) }
      let carried = high + (low >> 32)
      let expected: Value =
        Int64(Int32.min)...Int64(Int32.max) ~= carried
        ? .integer(carried << 32 | low & 0xFFFF_FFFF)
        : .double(Double(carried) * 0x1p32 + Double(low & 0xFFFF_FFFF))
      for _ in 0..<3 {
        numbers.shuffle(using: &random)
        #expect(total(numbers.map { .integer($0) }).sum == expected)
      }
    }
  }
}
