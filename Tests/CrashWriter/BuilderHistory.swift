import HearthDocumentModel
import Hearth
package import HearthQueryPlanning
import TestSupport

/// The steps of a thread that builds indexes while others write.
struct BuilderHistory {
  private static let indexCountLimit = 8

  private var random: SplitMix64
  private let generator = QueryGenerator()

  init(seed: UInt64) {
    random = SplitMix64(seed: ~seed)
  }

  /// Begins to build some indexes, and waits for them or pauses or cancels one. Drops some if there
  /// are many.
  ///
  /// - Parameter tell: a closure that receives `build INDEX` when a build has begun, and `drop
  ///   INDEX` before an index is dropped, or once its build has failed.
  mutating func step(in database: Database, _ tell: (String) -> Void) throws {
    let present = try database.indexes.list()
    if present.count >= Self.indexCountLimit {
      for index in present.shuffled(using: &random).prefix(3) {
        tell("drop \(index.definition.inLine)")
        try database.indexes.drop(index.definition)
      }
    }
    let definitions = fresh(.random(in: 1...3, using: &random), beside: present.map(\.definition))
    let builds = try database.indexes.begin(definitions)
    for definition in definitions { tell("build \(definition.inLine)") }
    let place = Int.random(in: builds.indices, using: &random)
    let chosen = builds[place]
    do throws(DatabaseError) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        tell("drop \(definitions[place].inLine)")
        try chosen.cancel()
      case 1:
        try chosen.pause()
        try chosen.resume()
      default: break
      }
      for build in builds { try build.wait() }
    } catch {
      // It had ended before the pause, or was cancelled.
      guard [.cancelled, .failedPrecondition].contains(error.code) else {
        throw error
      }
    }
    for (build, definition) in zip(builds, definitions) where try build.status().state == .failed {
      tell("drop \(definition.inLine)")
    }
  }

  private mutating func fresh(
    _ count: Int, beside present: [IndexDefinition]
  ) -> [IndexDefinition] {
    var definitions: [IndexDefinition] = []
    while definitions.count < count {
      for index in generator.indexes(using: &random).composites
      where index.definition.collectionGroup.utf8Equal(WriterHistory.collectionGroup)
        && !present.contains(index.definition) && !definitions.contains(index.definition)
        && definitions.count < count
      {
        definitions.append(index.definition)
      }
    }
    return definitions
  }
}

extension IndexDefinition {
  /// The index of the collection group as a line of the writer names it.
  package var inLine: String { "\(scope.rawValue) \(self)" }
}
