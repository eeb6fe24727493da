public import DocumentModel
public import QueryPlanning

/// The single-field indexes that an index file gives a field in place of the default ones (§3.3).
public struct FieldIndexes: Sendable, Equatable {
  public var collectionGroup: String
  /// `nil` is `*`: every field without an override of its own.
  public var field: FieldPath?
  /// None exempts the field.
  public var indexes: [SingleFieldIndex]
  /// Whether the field's times end documents' lives (§3.9); `nil` where the file doesn't tell.
  public var isTimeToLive: Bool?

  public init(
    collectionGroup: String, field: FieldPath?, indexes: [SingleFieldIndex],
    isTimeToLive: Bool? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.field = field
    self.indexes = indexes
    self.isTimeToLive = isTimeToLive
  }

  public static func == (left: FieldIndexes, right: FieldIndexes) -> Bool {
    left.collectionGroup.utf8Equal(right.collectionGroup) && left.field == right.field
      && left.indexes == right.indexes && left.isTimeToLive == right.isTimeToLive
  }
}

/// A whole `firestore.indexes.json` (§6.3).
public struct IndexFile: Sendable, Equatable {
  /// In the order of the file.
  public var composites: [IndexDefinition]
  public var overrides: [FieldIndexes]

  public init(composites: [IndexDefinition] = [], overrides: [FieldIndexes] = []) {
    self.composites = composites
    self.overrides = overrides
  }

  /// Reads a file; what it says about editions and interfaces other than these is refused.
  ///
  /// - Throws: `invalidArgument`, which names the place and what is wrong there.
  public init(json: [UInt8]) throws(DatabaseError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: json)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
    var reader = IndexFileReader()
    self = try reader.file(value)
  }

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
