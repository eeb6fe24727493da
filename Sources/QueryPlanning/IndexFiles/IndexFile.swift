public import HearthDocumentModel

/// A field of the collections of one id.
public struct IndexedField: Sendable, Hashable, CustomStringConvertible {
  /// The id of the collections.
  public let collectionGroup: String
  /// The field; `nil` is `*`: every field without an override of its own.
  public let field: FieldPath?

  /// Creates a name for a field, or for every field without an override of its own if `field` is
  /// `nil`.
  public init(_ collectionGroup: String, _ field: FieldPath?) {
    self.collectionGroup = collectionGroup
    self.field = field
  }

  /// The name in the form `todos.body`.
  public var description: String { "\(collectionGroup).\(field?.description ?? "*")" }

  public static func == (left: IndexedField, right: IndexedField) -> Bool {
    left.collectionGroup.utf8Equal(right.collectionGroup) && left.field == right.field
  }

  public func hash(into hasher: inout Hasher) {
    collectionGroup.utf8Hash(into: &hasher)
    hasher.combine(field)
  }
}

/// The single-field indexes that an index file gives a field, replacing the default ones (§3.3).
public struct FieldIndexes: Sendable, Equatable {
  /// The id of the collections that contain the field.
  public var collectionGroup: String
  /// The field; `nil` is `*`: every field without an override of its own.
  public var field: FieldPath?
  /// The indexes. An empty list exempts the field.
  public var indexes: [SingleFieldIndex]
  /// Whether documents expire at the field's times (§3.9); `nil` if the file doesn't say.
  public var isTimeToLive: Bool?
  /// Whether the field has no override and is listed only for its time to live. Its indexes are
  /// then those that it inherits. A file doesn't record this.
  package var isInherited = false

  /// Creates the indexes of a field, or of every field without an override of its own if `field` is
  /// `nil`.
  public init(
    collectionGroup: String, field: FieldPath?, indexes: [SingleFieldIndex],
    isTimeToLive: Bool? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.field = field
    self.indexes = indexes
    self.isTimeToLive = isTimeToLive
  }

  /// The name of the field.
  public var name: IndexedField { IndexedField(collectionGroup, field) }

  public static func == (left: FieldIndexes, right: FieldIndexes) -> Bool {
    left.name == right.name && left.indexes == right.indexes
      && left.isTimeToLive == right.isTimeToLive
  }
}

/// The contents of a `firestore.indexes.json` (§6.3): composite indexes, and fields with indexes of
/// their own.
public struct IndexFile: Sendable, Equatable {
  /// The composite indexes, in the order of the file.
  public var composites: [IndexDefinition]
  /// The fields with indexes of their own, in the order of the file, each field once.
  public var overrides: [FieldIndexes]

  /// Creates a file of these indexes.
  public init(composites: [IndexDefinition] = [], overrides: [FieldIndexes] = []) {
    self.composites = composites
    self.overrides = overrides
  }

  /// Whether the file defines nothing.
  public var isEmpty: Bool { composites.isEmpty && overrides.isEmpty }

  /// The indexes as they will be once all of them are built.
  package var indexSet: IndexSet {
    IndexSet(
      composites: composites.enumerated().map { number, definition in
        CompositeIndex(id: UInt64(number) + 1, definition: definition, state: .ready)
      },
      overrides: overrides.map { override in
        FieldOverride(
          override.collectionGroup, override.field,
          Dictionary(override.indexes.map { ($0, .ready) }) { state, _ in state })
      })
  }
}

extension SingleFieldIndex {
  /// All single-field indexes that a field can have, in the order in which they are listed.
  package static let all: [SingleFieldIndex] = QueryScope.allCases.flatMap { scope in
    IndexMode.allCases.map { SingleFieldIndex($0, scope: scope) }
  }
}
