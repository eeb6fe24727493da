import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import TestSupport

/// A step of a random history.
enum HistoryStep {
  case commit([Write])
  case createIndex(IndexDefinition)
  case dropIndex(IndexDefinition)
  case setOverride(String, FieldPath?, [SingleFieldIndex])
  case removeOverride(String, FieldPath?)
  case recursiveDelete(ResourcePath)
  case setCovering(Bool, IndexDefinition)
  case keepCounts(KeptCounts.Definition)
  case dropCounts(KeptCounts.Definition)
  case setTimeToLive(String, FieldPath, offsetSeconds: Int)
  case removeTimeToLive(String, FieldPath)
  case sweep(Timestamp)
  case keepSums(Bool)
}

extension HistoryStep {
  /// Makes a step that changes indexes and other settings. A step that changes documents is left to
  /// the caller that has a model of them.
  func changeIndexes(of engine: Engine) throws {
    switch self {
    case .createIndex(let definition): try engine.createIndex(definition)
    case .dropIndex(let definition): try engine.dropIndex(definition)
    case .setOverride(let group, let field, let indexes):
      try engine.setOverride(group, field, indexes)
    case .removeOverride(let group, let field): try engine.removeOverride(group, field)
    case .setCovering(let isCovering, let definition):
      try engine.setCovering(isCovering, of: definition)
    case .keepCounts(let counts): try engine.keepCounts(counts)
    case .dropCounts(let counts): try engine.dropCounts(counts)
    case .setTimeToLive(let group, let field, let offset):
      try engine.setTimeToLive(group, field, offsetSeconds: offset)
    case .removeTimeToLive(let group, let field): try engine.removeTimeToLive(group, field)
    case .keepSums(let keepsSums): try engine.keepSums(keepsSums)
    case .commit, .recursiveDelete, .sweep: break
    }
  }
}

/// A generator of random histories over few documents, fields and indexes, so that steps affect
/// each other.
struct HistoryGenerator {
  private static let paths = ["c/a", "c/b", "c/a/c/x", "c/a/d/y", "d/a", "d/b/c/z"].map {
    ResourcePath(unchecked: $0.split(separator: "/").map(String.init))
  }
  private static let fields = ["a", "b", "tags", "m", "m.x"].map {
    FieldPath(unchecked: $0.split(separator: ".").map(String.init))
  }
  private static let groups = ["c", "d"]
  private static let timeFields = [FieldPath(unchecked: ["t"]), fields[4]]

  var random: SplitMix64
  private let values = ValueGenerator(depthLimit: 1)
  /// Indexes that the history has created, for later steps.
  private var indexes: [IndexDefinition] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func step() -> HistoryStep {
    switch Int.random(in: 0..<30, using: &random) {
    case 0, 1: .createIndex(indexes.isEmpty || !random.oneIn(4) ? newIndex() : random.pick(indexes))
    case 2: .dropIndex(definition())
    case 3: .setOverride(random.pick(Self.groups), overrideField(), singleFieldIndexes())
    case 4: .removeOverride(random.pick(Self.groups), overrideField())
    case 5: .recursiveDelete(random.pick(Self.paths))
    case 6, 7: .setCovering(!random.oneIn(3), indexes.isEmpty ? newIndex() : random.pick(indexes))
    case 8: .keepCounts(counts())
    case 9: .dropCounts(counts())
    case 10:
      .setTimeToLive(
        random.pick(Self.groups), random.pick(Self.timeFields), offsetSeconds: random.pick([0, 2]))
    case 11: .removeTimeToLive(random.pick(Self.groups), random.pick(Self.timeFields))
    case 12, 13: .sweep(time(9))
    case 14: .keepSums(!random.oneIn(3))
    default: .commit((0...Int.random(in: 0...2, using: &random)).map { _ in write() })
    }
  }

  /// Returns a change of the indexes.
  ///
  /// - Parameter drops: whether the change may be one that reads in the committer.
  mutating func indexStep(drops: Bool) -> HistoryStep {
    switch Int.random(in: drops ? 0..<11 : 3..<11, using: &random) {
    case 0: .dropIndex(definition())
    case 1: .keepCounts(counts())
    case 2: .dropCounts(counts())
    case 3: .createIndex(newIndex())
    case 4, 5:
      .setCovering(!random.oneIn(3), indexes.isEmpty ? newIndex() : random.pick(indexes))
    case 6, 7: .setOverride(random.pick(Self.groups), overrideField(), singleFieldIndexes())
    case 8: .keepSums(true)
    case 9:
      .setTimeToLive(random.pick(Self.groups), random.pick(Self.timeFields), offsetSeconds: 0)
    default: .removeOverride(random.pick(Self.groups), overrideField())
    }
  }

  mutating func write() -> Write {
    let path = random.pick(Self.paths)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .delete(path)
    case 1: return .create(path, fields())
    case 2: return .merge(path, fields())
    case 3:
      let field = random.pick(Self.fields)
      let update = try? Write.update(path, [(field, random.oneIn(3) ? nil : value())])
      return update ?? .delete(path)
    default: return .set(path, fields())
    }
  }

  private mutating func fields() -> MapValue {
    var fields = MapValue()
    for name in ["a", "b"] where !random.oneIn(3) { fields[name] = value() }
    if random.oneIn(2) { fields["tags"] = .array((0..<3).map { _ in scalar() }) }
    if random.oneIn(2) { fields["m"] = ["x": value()] }
    if random.oneIn(2) { fields["v"] = vector() }
    if random.oneIn(2) { fields["t"] = random.oneIn(4) ? scalar() : .timestamp(time(6)) }
    return fields
  }

  private mutating func value() -> Value {
    random.oneIn(3) ? values.value(using: &random) : scalar()
  }

  private mutating func time(_ seconds: Int64) -> Timestamp {
    let time = try? Timestamp(
      microseconds: .random(in: 0...seconds, using: &random) * 1_000_000)
    return time ?? .minimum
  }

  private mutating func scalar() -> Value { .integer(.random(in: 0...3, using: &random)) }

  /// Returns a vector of two or three dimensions. Only vectors of two have an index.
  private mutating func vector() -> Value {
    .vector([Double](repeating: .random(in: 0...3, using: &random), count: random.pick([2, 2, 3])))
  }

  private mutating func newIndex() -> IndexDefinition {
    indexes.append(definition())
    return indexes[indexes.count - 1]
  }

  private mutating func counts() -> KeptCounts.Definition {
    KeptCounts.Definition(
      random.pick(Self.groups), random.pick([[], [Self.fields[0]], Array(Self.fields[..<2])]),
      scope: random.oneIn(2) ? .collection : .collectionGroup)
  }

  private mutating func definition() -> IndexDefinition {
    if random.oneIn(4) { return vectorDefinition() }
    let modes: [IndexMode] = [.ascending, .descending]
    var columns = [
      IndexColumn(random.pick(Self.fields), random.pick(modes)),
      IndexColumn(FieldPath(unchecked: ["b"]), random.pick(modes)),
    ]
    if random.oneIn(3) { columns[0] = IndexColumn(FieldPath(unchecked: ["tags"]), .contains) }
    if columns[0].field == columns[1].field { columns[1] = IndexColumn(Self.fields[0], .ascending) }
    return IndexDefinition(
      random.pick(Self.groups), columns, scope: random.oneIn(2) ? .collection : .collectionGroup)
  }

  private mutating func vectorDefinition() -> IndexDefinition {
    let column = IndexColumn(random.pick(Self.fields), random.pick([.ascending, .descending]))
    return IndexDefinition(
      random.pick(Self.groups), random.oneIn(2) ? [column] : [],
      scope: random.oneIn(2) ? .collection : .collectionGroup,
      vector: VectorColumn(FieldPath(unchecked: ["v"]), dimension: 2))
  }

  private mutating func overrideField() -> FieldPath? {
    random.oneIn(4) ? nil : random.pick(Self.fields)
  }

  private mutating func singleFieldIndexes() -> [SingleFieldIndex] {
    QueryScope.allCases.flatMap { scope in
      IndexMode.allCases.map { SingleFieldIndex($0, scope: scope) }
    }
    .filter { _ in random.oneIn(2) }
  }
}
