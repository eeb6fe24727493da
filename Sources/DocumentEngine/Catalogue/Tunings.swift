package import HearthDocumentModel
package import HearthQueryPlanning

/// The state of a tuning.
package enum TuningState: UInt8, Sendable {
  /// Writes maintain it. Older entries are being brought in line.
  case creating = 0
  /// Reads use it.
  case ready = 1
  /// Given up. The rest of it is being deleted.
  case retiring = 2
}

/// The number of documents with each combination of values of some fields. Writes maintain it.
package struct KeptCounts: Sendable, Hashable {
  /// The counted documents: those that have all of the fields, by their values. Without fields, all
  /// documents are counted.
  package struct Definition: Sendable, Hashable {
    package let collectionGroup: String
    /// The scope: each collection is counted by itself, or all collections with the id together.
    package let scope: QueryScope
    /// The fields, sorted, each once.
    package let fields: [FieldPath]

    package init(
      _ collectionGroup: String, _ fields: [FieldPath], scope: QueryScope = .collection
    ) {
      self.collectionGroup = collectionGroup
      self.scope = scope
      self.fields = Set(fields).sorted()
    }

    package static func == (left: Definition, right: Definition) -> Bool {
      left.collectionGroup.utf8Equal(right.collectionGroup) && left.scope == right.scope
        && left.fields == right.fields
    }

    package func hash(into hasher: inout Hasher) {
      UTF8Key(collectionGroup).hash(into: &hasher)
      hasher.combine(scope)
      hasher.combine(fields)
    }
  }

  /// The id, which is never used again after the counts were dropped.
  package let id: UInt64
  package let definition: Definition
  package var state: TuningState

  package init(id: UInt64, definition: Definition, state: TuningState) {
    self.id = id
    self.definition = definition
    self.state = state
  }
}

/// The data that is stored beyond the definitions of indexes, to serve queries faster or to check
/// entries. It doesn't change which queries are served, and stands in no index file.
package struct Tunings: Sendable, Equatable {
  /// Composite indexes whose entries carry their documents' records, by id.
  package private(set) var covering: [UInt64: TuningState] = [:]
  package private(set) var counts: [KeptCounts] = []
  /// Whether sums of index entries are kept.
  package var keepsSums = false

  package var isEmpty: Bool { covering.isEmpty && counts.isEmpty && !keepsSums }

  /// Whether entries of the index are written with their documents' records.
  package func writesRecords(ofIndex id: UInt64) -> Bool {
    guard !covering.isEmpty, let state = covering[id] else { return false }
    return state != .retiring
  }

  /// Whether all entries of the index carry the current records of their documents. Before and
  /// after that state, some may carry outdated ones.
  func readsRecords(ofIndex id: UInt64) -> Bool {
    !covering.isEmpty && covering[id] == .ready
  }

  package mutating func setCovering(_ state: TuningState?, ofIndex id: UInt64) {
    covering[id] = state
  }

  /// Adds counts. Replaces those with the same id.
  package mutating func set(_ new: KeptCounts) {
    remove(countsID: new.id)
    counts.append(new)
  }

  package mutating func remove(countsID id: UInt64) {
    counts.removeAll { $0.id == id }
  }

  /// The tunings after all changes under way are done.
  package var settled: Tunings {
    var tunings = self
    tunings.covering = covering.filter { $0.value != .retiring }.mapValues { _ in .ready }
    tunings.counts = counts.filter { $0.state != .retiring }.map {
      KeptCounts(id: $0.id, definition: $0.definition, state: .ready)
    }
    return tunings
  }

  /// Returns the tunings without those of indexes that are gone.
  func keeping(_ composites: [CompositeIndex]) -> Tunings {
    guard !covering.isEmpty else { return self }
    let ids = Set(composites.map(\.id))
    var tunings = self
    tunings.covering = covering.filter { ids.contains($0.key) }
    return tunings
  }
}
