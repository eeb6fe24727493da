import HearthDocumentModel
import Testing

/// The results of transforms of single values (§7.3).
@Suite struct TransformTests {
  private typealias Operation = FieldTransform.Operation

  private func applied(_ operation: FieldTransform.Operation, to value: Value?) -> Value {
    operation.applied(to: value, at: .minimum)
  }

  @Test func incrementsAddAndSaturate() {
    let cases: [(Value?, Value, Value)] = [
      (nil, 2, 2), (.string("x"), 2, 2), (.null, 0.5, 0.5), (.array([1]), 1, 1),
      (1, 2, 3), (1, -2, -1), (1, 0.5, 1.5), (1.5, 1, 2.5), (1.5, 0.25, 1.75),
      (.integer(.max), 1, .integer(.max)), (.integer(.max), .integer(.max), .integer(.max)),
      (.integer(.min), -1, .integer(.min)), (.integer(.min), .integer(.min), .integer(.min)),
      (.integer(.max), .integer(.min), -1),
      (.integer(.max), 1.0, .double(0x1p63)), (.double(.nan), 1, .double(.nan)),
      (1, .double(.nan), .double(.nan)), (.double(.infinity), .double(-.infinity), .double(.nan)),
    ]
    for (value, operand, expected) in cases {
      #expect(applied(.increment(operand), to: value) == expected, "\(value as Any) + \(operand)")
    }
  }

  @Test func extremesKeepTheTypeOfTheWinner() {
    let cases: [(Value?, Value, maximum: Value, minimum: Value)] = [
      (nil, 3, 3, 3), (.boolean(true), 3.5, 3.5, 3.5), (.timestamp(.minimum), 1, 1, 1),
      (1, 2, 2, 1), (1, 2.5, 2.5, 1), (3.5, 2, 3.5, 2),
      // Equal values: the stored one stays.
      (3, 3.0, 3, 3), (3.0, 3, 3.0, 3.0), (0.0, -0.0, 0.0, 0.0), (-0.0, 0, -0.0, -0.0),
      // Compared exactly: doubles would not tell them apart.
      (
        .double(0x1p53), .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_993),
        .double(0x1p53)
      ),
      (.double(.nan), 1, .double(.nan), .double(.nan)),
      (1, .double(.nan), .double(.nan), .double(.nan)),
      (.double(-.infinity), .integer(.min), .integer(.min), .double(-.infinity)),
    ]
    for (value, operand, maximum, minimum) in cases {
      #expect(applied(.maximum(operand), to: value) == maximum, "\(value as Any), \(operand)")
      #expect(applied(.minimum(operand), to: value) == minimum, "\(value as Any), \(operand)")
    }
  }

  @Test func unionsAppendWhatIsMissingOnce() {
    let cases: [(Value?, [Value], [Value])] = [
      (nil, [], []), ("x", [], []), (nil, [1, 1.0, 2], [1, 2]),
      (["b", "a"], ["a", "c"], ["b", "a", "c"]),
      // Stored elements stay as they are, including doubles.
      ([1, 1.0, 1], [1, 2.0, 2], [1, 1.0, 1, 2.0]),
      ([.double(.nan), .null], [.double(.nan), .null, 0], [.double(.nan), .null, 0]),
      ([["a": 1]], [["a": 1.0], ["a": 2]], [["a": 1], ["a": 2]]),
      ([3, 1, 2], [9, 0, 5], [3, 1, 2, 9, 0, 5]),
      ([.vector([1])], [.vector([1]), .vector([1, 2])], [.vector([1]), .vector([1, 2])]),
    ]
    for (value, operands, expected) in cases {
      #expect(
        applied(.arrayUnion(operands), to: value) == .array(expected),
        "\(value as Any) with \(operands)")
    }
  }

  @Test func removalsTakeEveryEqualElement() {
    let cases: [(Value?, [Value], [Value])] = [
      (nil, [1], []), (5, [1], []), ([1, 2, 1.0, 3], [1], [2, 3]), ([1, 2], [], [1, 2]),
      ([.double(.nan), .null, 0], [.null, .double(.nan)], [0]),
      ([-0.0, 0, "0"], [0.0], ["0"]), ([["a": 1], ["a": 2]], [["a": 1.0]], [["a": 2]]),
      ([5, 4, 3, 2, 1], [2, 9, 4], [5, 3, 1]),
    ]
    for (value, operands, expected) in cases {
      #expect(
        applied(.arrayRemove(operands), to: value) == .array(expected),
        "\(value as Any) without \(operands)")
    }
  }

  @Test func serverTimestampsAreWholeMilliseconds() throws {
    for (time, expected) in [
      (1_234_567, 1_234_000), (1_000, 1_000), (0, 0), (-1, -1_000), (-1_000, -1_000),
      (-1_001, -2_000),
    ] as [(Int64, Int64)] {
      let value = Operation.serverTimestamp.applied(
        to: "x", at: try Timestamp(microseconds: time))
      #expect(value == .timestamp(try Timestamp(microseconds: expected)))
    }
    for end in [Timestamp.minimum, .maximum] {
      let value = Operation.serverTimestamp.applied(to: nil, at: end)
      guard case .timestamp(let time) = value else { return #expect(Bool(false)) }
      #expect(time <= end && time.microseconds > end.microseconds - 1_000)
    }
  }

  @Test func arraysReportNothing() {
    #expect(Operation.increment(1).result(of: 5) == 5)
    #expect(Operation.arrayUnion([1]).result(of: [1]) == .null)
    #expect(Operation.arrayRemove([1]).result(of: []) == .null)
  }
}

/// The refusals of transforms, with production's texts.
@Suite struct TransformValidationTests {
  private func refusal(_ write: Write) -> String? {
    do throws(DatabaseError) {
      try write.validate()
      return nil
    } catch {
      return error.message
    }
  }

  private func refusal(
    _ operation: FieldTransform.Operation, of field: String = "a"
  ) throws -> String? {
    let transform = FieldTransform(try FieldPath(field), operation)
    return refusal(.set(try ResourcePath("c/a"), [:], transforms: [transform]))
  }

  @Test func operandsAreChecked() throws {
    for operation in [
      FieldTransform.Operation.increment("1"), .maximum(.null), .minimum(.array([1])),
    ] {
      #expect(try refusal(operation) == "Input must be a number.")
    }
    #expect(try refusal(.arrayUnion([[1]])) == "Nested arrays are not allowed")
    #expect(try refusal(.arrayRemove([["x": ["__y__": 1]]])) == "field name __y__ is reserved")
    #expect(try refusal(.arrayUnion([["x": [1]]])) == nil)
    #expect(try refusal(.increment(.double(.nan))) == nil)
  }

  @Test func fieldsAreChecked() throws {
    #expect(try refusal(.serverTimestamp, of: "__name__") == "field name __name__ is reserved")
    let path = { (count: Int) in Array(repeating: "a", count: count).joined(separator: ".") }
    let message = "Property a contains an invalid nested entity."
    #expect(try refusal(.increment(1), of: path(21)) == nil)
    #expect(try refusal(.increment(1), of: path(22)) == message)
    #expect(try refusal(.arrayUnion([1]), of: path(20)) == nil)
    #expect(try refusal(.arrayUnion([1]), of: path(21)) == message)
  }

  @Test func aFieldIsTransformedBesideNoneInIt() throws {
    func refusal(_ fields: [String]) throws -> String? {
      let transforms = try fields.map { FieldTransform(try FieldPath($0), .increment(1)) }
      return self.refusal(.set(try ResourcePath("c/a"), [:], transforms: transforms))
    }
    let message = "Cannot transform property n.a and its nested property at the same time."
    #expect(try refusal(["n.a", "m", "n.a.b.c"]) == message)
    #expect(try refusal(["n.a.b", "m", "n.a", "n.a"]) == message)
    #expect(try refusal(["n.a", "n.b", "`n.a`.b", "na", "n.a"]) == nil)
  }

  @Test func onlyUpdatesHaveThem() throws {
    let transform = FieldTransform(try FieldPath("a"), .increment(1))
    for (operation, message) in [
      (Write.Operation.delete, "a delete must not specify a update transform."),
      (.verify, "a verify must not specify a update transform."),
    ] {
      let write = Write(
        path: try ResourcePath("c/a"), operation: operation, transforms: [transform])
      #expect(refusal(write) == message)
    }
  }

  @Test func aDocumentHasFiveHundredInOneCommit() throws {
    let transform = FieldTransform(try FieldPath("a"), .increment(1))
    let path = try ResourcePath("c/a")
    func write(_ path: ResourcePath, _ count: Int) -> Write {
      .set(path, [:], transforms: Array(repeating: transform, count: count))
    }
    let other = try ResourcePath("c/b")
    try Write.validateTransformCounts([write(path, 300), write(other, 500), write(path, 200)])
    for writes in [[write(path, 501)], [write(path, 300), write(path, 201)]] {
      do {
        try Write.validateTransformCounts(writes)
        Issue.record("not refused")
      } catch {
        #expect(
          error.message == "cannot have more than 500 field transforms on a single document")
      }
    }
  }
}
