public import DocumentModel

/// The index that a refused query needs: the structured side of the error (§6.1).
public struct MissingIndex: DatabaseError.Details, Equatable {
  /// What production proposes (§5.7). One column besides `__name__` is a single-field index.
  public let index: IndexDefinition
  /// An index of fewer columns that would do beside the present ones (§5.8), if there is one.
  public let smaller: IndexDefinition?
  /// Whether `index` exists and is being built.
  public let isBuilding: Bool

  /// What a refusal carries.
  public init(index: IndexDefinition, smaller: IndexDefinition?, isBuilding: Bool) {
    self.index = index
    self.smaller = smaller
    self.isBuilding = isBuilding
  }
}

extension DatabaseError {
  /// The index that the query lacks, where that is why it was refused.
  public var missingIndex: MissingIndex? { details as? MissingIndex }
}
