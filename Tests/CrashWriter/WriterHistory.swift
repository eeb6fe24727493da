package import HearthDocumentModel
package import HearthQueryPlanning
import TestSupport

/// A step that a writer makes and then reports.
package enum WriterStep: Sendable {
  case commit([Write])
  case createIndex(IndexDefinition)
  case dropIndex(IndexDefinition)
  case setOverride(FieldPath?, [SingleFieldIndex])
  case removeOverride(FieldPath?)

  package func changesOverride(of field: FieldPath?) -> Bool {
    switch self {
    case .setOverride(let changed, _), .removeOverride(let changed): changed == field
    case .commit, .createIndex, .dropIndex: false
    }
  }
}

/// The steps of one thread of a writer.
///
/// They follow from the seed and from the contents of the database at the start. So a reader of the
/// number of acknowledged steps knows what the database must hold. Each thread has documents of its
/// own. Thread 0 also changes the indexes, beginning with those that a kill left half built.
package struct WriterHistory: Sendable {
  /// Collection group of all indexes.
  package static let collectionGroup = QueryGenerator.collectionID

  private static let idsPerThread = 300
  private static let batchCountLimit = 60
  private static let compositeCountLimit = 4

  package let thread: Int
  /// State after the steps made so far.
  package private(set) var state: WriterState
  private var random: SplitMix64
  private var unfinished: [WriterStep] = []
  private var stepCount: Int64 = 0
  private let generator = QueryGenerator()

  /// - Parameter start: the contents of the database when the writer opened it.
  package init(seed: UInt64, thread: Int, start: WriterState) {
    self.thread = thread
    // Neighbouring seeds would make the same numbers, only later.
    random = SplitMix64(seed: seed &+ UInt64(thread) &* 0x1000_0000_0001)
    state = WriterState()
    state.documents = start.documents.filter { Self.owner(of: $0.key) == thread }
    guard thread == 0 else { return }
    state.composites = start.composites
    state.overrides = start.overrides
    unfinished = Self.unfinishedSteps(of: start)
  }

  /// Returns the number of the thread that writes a document.
  package static func owner(of path: ResourcePath) -> Int? {
    path.lastSegment.flatMap { $0.split(separator: "-").first }.flatMap { Int($0.dropFirst()) }
  }

  package mutating func next() -> WriterStep {
    stepCount += 1
    let step = unfinished.popLast() ?? newStep()
    state.apply(step)
    return step
  }

  /// Returns the steps that finish half-built indexes, sorted because the order of a dictionary
  /// differs between processes.
  private static func unfinishedSteps(of state: WriterState) -> [WriterStep] {
    let composites = sorted(state.composites.filter { $0.value == .creating }.keys)
    let overrides = state.overrides.filter { state.unfinishedOverrides.contains($0.key) }
      .sorted { "\($0.key, default: "*")" < "\($1.key, default: "*")" }
    return composites.map { .createIndex($0) }
      + overrides.map { .setOverride($0.key, Array($0.value.keys)) }
  }

  private static func sorted(_ indexes: some Sequence<IndexDefinition>) -> [IndexDefinition] {
    indexes.sorted { "\($0.scope) \($0)" < "\($1.scope) \($1)" }
  }

  private mutating func newStep() -> WriterStep {
    if thread == 0, random.oneIn(3), let step = indexStep() { return step }
    return .commit(writes())
  }

  // MARK: Documents

  private mutating func writes() -> [Write] {
    var paths: Set<ResourcePath> = []
    var writes: [Write] = []
    for _ in 0..<Int.random(in: 1...Self.batchCountLimit, using: &random) {
      let id = Int.random(in: 0..<Self.idsPerThread, using: &random)
      let collection = random.pick(QueryGenerator.collections).split(separator: "/")
      let path = ResourcePath(unchecked: collection.map(String.init) + ["t\(thread)-\(id)"])
      guard paths.insert(path).inserted else { continue }
      // Every batch has a change, so that every acknowledged step has written to the store.
      writes.append(writes.isEmpty ? .set(path, ["step": .integer(stepCount)]) : write(path))
    }
    return writes
  }

  private mutating func write(_ path: ResourcePath) -> Write {
    let fields = fields()
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .delete(path)
    case 1: return .merge(path, fields)
    case 2, 3:
      guard state.documents[path] != nil else { return .create(path, fields) }
      let change = (FieldPath(unchecked: ["a"]), random.oneIn(3) ? nil : fields["b"])
      return (try? .update(path, [change])) ?? .set(path, fields)
    default: return .set(path, fields)
    }
  }

  /// Returns the fields of a document that every index can hold. An index may have six columns, and
  /// an entry has room for four long values: so two fields are never long.
  private mutating func fields() -> MapValue {
    var fields = generator.fields(using: &random)
    for name in ["c", "d"] {
      if case .string(let text)? = fields[name], text.utf8.count > 100 { fields[name] = 2 }
    }
    return fields
  }

  // MARK: Indexes

  private mutating func indexStep() -> WriterStep? {
    let proposed = generator.indexes(using: &random)
    if let override = proposed.overrides.first, random.oneIn(3) {
      let isThere = state.overrides[override.field] != nil
      return isThere && random.oneIn(2)
        ? .removeOverride(override.field)
        : .setOverride(override.field, Array(override.indexes.keys))
    }
    if state.composites.count >= Self.compositeCountLimit {
      return .dropIndex(random.pick(Self.sorted(state.composites.keys)))
    }
    let fresh = proposed.composites.first {
      $0.definition.collectionGroup.utf8Equal(Self.collectionGroup)
        && state.composites[$0.definition] == nil
    }
    return fresh.map { .createIndex($0.definition) }
  }
}
