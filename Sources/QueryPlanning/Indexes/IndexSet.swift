package import HearthDocumentModel

/// A composite index in the catalogue.
package struct CompositeIndex: Sendable, Hashable {
  /// The id, which is never reused after the index is dropped.
  package let id: UInt64
  package let definition: IndexDefinition
  package var state: IndexState
  /// Whether its build waits until it is resumed.
  package var isPaused = false
  /// Whether the index is hidden: writes maintain it, but no query may use it. It acts as dropped,
  /// and can be made visible again at once.
  package var isHidden: Bool

  package init(
    id: UInt64, definition: IndexDefinition, state: IndexState, isHidden: Bool = false
  ) {
    self.id = id
    self.definition = definition
    self.state = state
    self.isHidden = isHidden
  }
}

/// One of the single-field indexes that a field may have (§3.3).
public struct SingleFieldIndex: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey { case mode, scope = "queryScope" }

  /// The scope: one collection at a time, or all collections of an id.
  public let scope: QueryScope
  /// The form of the field's values.
  public let mode: IndexMode

  /// Creates an index over a single field.
  public init(_ mode: IndexMode, scope: QueryScope = .collection) {
    self.scope = scope
    self.mode = mode
  }

  /// The indexes of a field without an override (§3.2).
  public static let defaults: [SingleFieldIndex] = IndexMode.allCases.map { SingleFieldIndex($0) }
}

/// The single-field indexes of one field of a collection group, which replace the defaults (§3.3).
package struct FieldOverride: Sendable, Hashable {
  package let collectionGroup: String
  /// The field; `nil` is `*`: every field without an override of its own.
  package let field: FieldPath?
  package var indexes: [SingleFieldIndex: IndexState]

  package init(
    _ collectionGroup: String, _ field: FieldPath?, _ indexes: [SingleFieldIndex: IndexState]
  ) {
    self.collectionGroup = collectionGroup
    self.field = field
    self.indexes = indexes
  }

  package static func == (left: FieldOverride, right: FieldOverride) -> Bool {
    left.collectionGroup.utf8Equal(right.collectionGroup) && left.field == right.field
      && left.indexes == right.indexes
  }

  package func hash(into hasher: inout Hasher) {
    UTF8Key(collectionGroup).hash(into: &hasher)
    hasher.combine(field)
    hasher.combine(indexes)
  }
}

/// All indexes of a database at one moment, as a value from which the planner chooses.
package struct IndexSet: Sendable, Equatable {
  package var composites: [CompositeIndex]
  package var overrides: [FieldOverride]

  package init(composites: [CompositeIndex] = [], overrides: [FieldOverride] = []) {
    self.composites = composites
    self.overrides = overrides
  }

  /// Returns the override that governs `field`: the longest matching path, else `*` (§3.3); `nil`
  /// if there is none.
  package func override(of field: FieldPath, in collectionGroup: String) -> FieldOverride? {
    overrides.filter { override in
      override.collectionGroup.utf8Equal(collectionGroup)
        && (override.field.map { field.hasPrefix($0) } ?? true)
    }
    .max { ($0.field?.names.count ?? 0) < ($1.field?.names.count ?? 0) }
  }

  /// Returns the state of a single-field index; `nil` if there is no such index.
  package func state(
    of index: SingleFieldIndex, field: FieldPath, in collectionGroup: String
  ) -> IndexState? {
    guard let override = override(of: field, in: collectionGroup) else {
      return SingleFieldIndex.defaults.contains(index) ? .ready : nil
    }
    return override.indexes[index]
  }
}
