import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import TestSupport
import Testing

/// Every commit leaves the documents, times and results of a tiny model of writes, and indexes that
/// agree with them.
@Suite struct WriteLawTests {
  @Test func writesDoWhatTheModelSays() throws {
    let seed = GeneratedCases.seed()
    var generator = WriteGenerator(random: SplitMix64(seed: seed))
    let fixture = try EngineFixture()
    try fixture.engine.createIndex(WriteGenerator.index)
    var model = TransformModel()
    var mix = WriteMix()
    for number in 0..<GeneratedCases.count {
      fixture.clock.turn(to: generator.time())
      let writes = generator.writes(in: model)
      let answer = try? fixture.engine.commit(writes)
      // A refused commit might have had any time but that of an earlier one.
      let time = answer?.commitTime ?? .maximum
      let expected = model.commit(writes, at: time)
      guard answer?.writeResults == expected else {
        Issue.record("case \(number): \(writes): \(answer as Any), not \(expected as Any)")
        return
      }
      try mix.add(writes, answer, model)
      let view = try fixture.engine.readView()
      for path in WriteGenerator.paths {
        let document = try view.document(at: path)?.document()
        let stored = document.map {
          TransformModel.Stored(
            fields: $0.fields, createTime: $0.createTime, updateTime: $0.updateTime)
        }
        guard stored == model.documents[path] else {
          Issue.record("case \(number): \(writes) left \(stored as Any) at \(path)")
          return
        }
      }
      if number % 1000 == 999 { try fixture.expectClean() }
    }
    try fixture.expectClean()
    mix.check()
  }
}

/// Counts of the generated commits by their kinds.
private struct WriteMix {
  var commits = 0
  var refused = 0
  var transforms = 0
  var unchanged = 0

  mutating func add(_ writes: [Write], _ answer: CommitResult?, _ model: TransformModel) throws {
    commits += 1
    refused += answer == nil ? 1 : 0
    transforms += writes.reduce(0) { $0 + $1.transforms.count }
    for result in answer?.writeResults ?? [] where result.updateTime != answer?.commitTime {
      unchanged += 1
    }
  }

  func check() {
    print(
      "commits \(commits), refused \(refused), transforms \(transforms), unchanged \(unchanged)")
    guard GeneratedCases.areMany(commits) else { return }
    #expect(refused * 100 > commits && refused * 10 < commits * 4)
    #expect(transforms > commits)
    #expect(unchanged * 100 > commits)
  }
}

/// A generator of writes over few documents and fields, so that they meet the results of earlier
/// ones.
private struct WriteGenerator {
  static let paths = ["c/a", "c/b", "d/x/c/a"].map {
    ResourcePath(unchecked: $0.split(separator: "/").map(String.init))
  }
  private static let fields = ["n", "tags", "m", "m.n", "m.o.n"].map {
    FieldPath(unchecked: $0.split(separator: ".").map(String.init))
  }
  static let index = IndexDefinition(
    "c",
    [IndexColumn(fields[1], .contains), IndexColumn(fields[0], .descending)],
    scope: .collectionGroup)

  var random: SplitMix64
  private let values = ValueGenerator(depthLimit: 1, makesLongValues: false)

  init(random: SplitMix64) {
    self.random = random
  }

  mutating func time() -> Timestamp {
    let time = try? Timestamp(microseconds: .random(in: -5_000_000...5_000_000, using: &random))
    return time ?? .minimum
  }

  mutating func writes(in model: TransformModel) -> [Write] {
    (0...Int.random(in: 0...2, using: &random)).map { _ in write(in: model) }
  }

  private mutating func write(in model: TransformModel) -> Write {
    let path = random.pick(Self.paths)
    var precondition: Precondition?
    if random.oneIn(8) {
      precondition = .exists(random.oneIn(4) ? .random(using: &random) : true)
      if let time = model.documents[path]?.updateTime, random.oneIn(3) {
        precondition = .updateTime(time)
      }
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return Write(path: path, operation: .delete, precondition: precondition)
    case 1: return Write(path: path, operation: .verify, precondition: precondition)
    case 2, 3: return update(path, nil, precondition)
    case 4, 5:
      return update(path, [random.pick(Self.fields), random.pick(Self.fields)], precondition)
    default: return update(path, [], precondition)
    }
  }

  private mutating func update(
    _ path: ResourcePath, _ mask: [FieldPath]?, _ precondition: Precondition?
  ) -> Write {
    var fields = MapValue()
    for field in Self.fields where random.oneIn(2) { fields.set(value(), at: field) }
    let transforms = (0..<Int.random(in: 0...3, using: &random)).map { _ in transform() }
    return Write(
      path: path, operation: .update(fields: fields, mask: mask), transforms: transforms,
      precondition: precondition)
  }

  private mutating func transform() -> FieldTransform {
    let operation: FieldTransform.Operation =
      switch Int.random(in: 0..<9, using: &random) {
      case 0: .serverTimestamp
      case 1, 2: .increment(number())
      case 3: .maximum(number())
      case 4: .minimum(number())
      case 5, 6: .arrayRemove(elements())
      default: .arrayUnion(elements())
      }
    return FieldTransform(random.pick(Self.fields), operation)
  }

  private mutating func number() -> Value {
    let edges: [Value] = [
      .integer(.max), .integer(.min), .double(.nan), .double(.infinity), 0.0, -0.0, 0,
    ]
    if random.oneIn(4) { return random.pick(edges) }
    let small = Int64.random(in: -3...3, using: &random)
    return random.oneIn(2) ? .integer(small) : .double(Double(small) / 2)
  }

  private mutating func elements() -> [Value] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let value = random.oneIn(4) ? values.value(using: &random) : number()
      switch value {
      case .array, .vector: return .null
      default: return value.storable
      }
    }
  }

  private mutating func value() -> Value {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .array(elements())
    case 1: values.value(using: &random).storable
    default: number()
    }
  }
}
