public import DocumentModel

/// The index that a refused query needs: the structured side of the error (§6.1).
public struct MissingIndex: DatabaseError.Details, Equatable {
  /// What production proposes (§5.7). One column besides `__name__` is a single-field index.
  public let index: IndexDefinition
  /// An index of fewer columns that would do beside the present ones (§5.8), if there is one.
  public let smaller: IndexDefinition?
  /// The indexes that are being built and will serve the query then, beside the present ones:
  /// `index`, or others that do as well; none where something is to be created.
  public let building: [IndexDefinition]
  /// Whether the query will be served when what is being built is ready.
  public var isBuilding: Bool { !building.isEmpty }
  /// The part of the builds that is done, 0...1, where composite indexes are being built: that of
  /// the slowest.
  public package(set) var progress: Double?
  /// The hidden indexes that would serve the query, beside the present ones, if they were shown
  /// again; none where that would not do.
  public let hidden: [IndexDefinition]
  /// Whether showing hidden indexes again would do.
  public var isHidden: Bool { !hidden.isEmpty }

  /// What a refusal carries.
  public init(
    index: IndexDefinition, smaller: IndexDefinition?, building: [IndexDefinition] = [],
    hidden: [IndexDefinition] = []
  ) {
    self.index = index
    self.smaller = smaller
    self.building = building
    self.hidden = hidden
  }
}

extension DatabaseError {
  /// The index that the query lacks, where that is why it was refused.
  public var missingIndex: MissingIndex? { details as? MissingIndex }
}
