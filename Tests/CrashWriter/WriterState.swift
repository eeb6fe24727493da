package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

/// The contents of a database that a writer changes.
package struct WriterState: Sendable, Equatable {
  package var documents: [ResourcePath: MapValue] = [:]
  package var composites: [IndexDefinition: IndexState] = [:]
  /// Single-field indexes of fields of the collection group of the writer's indexes.
  package var overrides: [FieldPath?: [SingleFieldIndex: IndexState]] = [:]
  /// The fields whose override a kill left half changed: it may be one that is being taken back, of
  /// which all indexes are ready, and that is gone once anything is built.
  package private(set) var unfinishedOverrides: Set<FieldPath?> = []

  package init() {}

  /// Reads the present contents of `engine`.
  package init(of engine: Engine) throws {
    let view = try engine.readView()
    try view.forEachCollection(from: .root) { collection in
      try view.forEachDocumentPath(in: collection) { path in
        documents[path] = try view.document(at: path)?.fields()
        return true
      }
      return true
    }
    for index in view.catalog.indexes.composites { composites[index.definition] = index.state }
    for override in view.catalog.indexes.overrides {
      overrides[override.field] = override.indexes
      if view.catalog.isUnfinished(override) { unfinishedOverrides.insert(override.field) }
    }
  }

  package mutating func apply(_ step: WriterStep) {
    switch step {
    case .commit(let writes):
      for write in writes { apply(write) }
    case .createIndex(let definition): composites[definition] = .ready
    case .dropIndex(let definition): composites[definition] = nil
    case .setOverride(let field, let indexes):
      overrides[field] = Dictionary(uniqueKeysWithValues: indexes.map { ($0, .ready) })
    case .removeOverride(let field): overrides[field] = nil
    }
  }

  private mutating func apply(_ write: Write) {
    switch write.operation {
    case .delete: documents[write.path] = nil
    case .verify: break
    case .update(let fields, nil): documents[write.path] = fields
    case .update(let fields, let mask?):
      var merged = documents[write.path] ?? MapValue()
      for path in mask { merged.set(fields[path], at: path) }
      documents[write.path] = merged
    }
  }
}
