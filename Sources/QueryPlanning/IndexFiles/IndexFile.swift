public import DocumentModel

/// A field of the collections of one id.
public struct IndexedField: Sendable, Hashable, CustomStringConvertible {
  /// The id of the collections.
  public let collectionGroup: String
  /// `nil` is `*`: every field without an override of its own.
  public let field: FieldPath?

  /// A field, or `nil` for every one without an override of its own.
  public init(_ collectionGroup: String, _ field: FieldPath?) {
    self.collectionGroup = collectionGroup
    self.field = field
  }

  /// Such as `todos.body`.
  public var description: String { "\(collectionGroup).\(field?.description ?? "*")" }

  public static func == (left: IndexedField, right: IndexedField) -> Bool {
    left.collectionGroup.utf8Equal(right.collectionGroup) && left.field == right.field
  }

  public func hash(into hasher: inout Hasher) {
    collectionGroup.utf8Hash(into: &hasher)
    hasher.combine(field)
  }
}

/// The single-field indexes that an index file gives a field in place of the default ones (§3.3).
public struct FieldIndexes: Sendable, Equatable {
  /// The id of the collections that the field is in.
  public var collectionGroup: String
  /// `nil` is `*`: every field without an override of its own.
  public var field: FieldPath?
  /// None exempts the field.
  public var indexes: [SingleFieldIndex]
  /// Whether the field's times end documents' lives (§3.9); `nil` where the file doesn't tell.
  public var isTimeToLive: Bool?
  /// Whether the field has no override, and stands here for its time to live alone: the indexes are
  /// those that it inherits. A file doesn't tell.
  package var isInherited = false

  /// What a field has, or `nil` for every field without an override of its own.
  public init(
    collectionGroup: String, field: FieldPath?, indexes: [SingleFieldIndex],
    isTimeToLive: Bool? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.field = field
    self.indexes = indexes
    self.isTimeToLive = isTimeToLive
  }

  /// Which field it is.
  public var name: IndexedField { IndexedField(collectionGroup, field) }

  public static func == (left: FieldIndexes, right: FieldIndexes) -> Bool {
    left.name == right.name && left.indexes == right.indexes
      && left.isTimeToLive == right.isTimeToLive
  }
}

/// What a `firestore.indexes.json` says (§6.3): composite indexes, and fields with indexes of their
/// own.
public struct IndexFile: Sendable, Equatable {
  /// In the order of the file.
  public var composites: [IndexDefinition]
  /// In the order of the file, each field once.
  public var overrides: [FieldIndexes]

  /// A file of these indexes.
  public init(composites: [IndexDefinition] = [], overrides: [FieldIndexes] = []) {
    self.composites = composites
    self.overrides = overrides
  }

  /// Whether it says nothing.
  public var isEmpty: Bool { composites.isEmpty && overrides.isEmpty }

  /// The indexes as they are when all of them are built.
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
  /// All that a field can have, in the order in which they are listed.
  package static let all: [SingleFieldIndex] = QueryScope.allCases.flatMap { scope in
    IndexMode.allCases.map { SingleFieldIndex($0, scope: scope) }
  }
}
