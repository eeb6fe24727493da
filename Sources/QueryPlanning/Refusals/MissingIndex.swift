public import HearthDocumentModel

/// An index that a query lacks, as data: the index that a refusal proposes (§6.1), or the index
/// that would replace a merge.
public struct MissingIndex: DatabaseError.Details, Equatable, Codable {
  /// The index that production proposes (§5.7). One column besides `__name__` is a single-field
  /// index.
  public let index: IndexDefinition
  /// An index of fewer columns that would serve beside the present ones (§5.8); `nil` if there is
  /// none.
  public let smaller: IndexDefinition?
  /// The indexes that are being built and will serve the query afterwards, beside the present ones:
  /// `index`, or others that suffice as well. Empty if an index has to be created.
  public let building: [IndexDefinition]
  /// Whether the query will be served once these builds are complete.
  public var isBuilding: Bool { !building.isEmpty }
  /// The completed part of the slowest of these builds, 0...1; `nil` if no composite index is being
  /// built.
  public package(set) var progress: Double?
  /// The hidden indexes that would serve the query, beside the present ones, if they were made
  /// visible. Empty if they would not serve it.
  public let hidden: [IndexDefinition]
  /// Whether making hidden indexes visible would serve the query.
  public var isHidden: Bool { !hidden.isEmpty }

  /// Creates the details of a refusal.
  public init(
    index: IndexDefinition, smaller: IndexDefinition?, building: [IndexDefinition] = [],
    hidden: [IndexDefinition] = []
  ) {
    self.index = index
    self.smaller = smaller
    self.building = building
    self.hidden = hidden
  }

  /// - Throws: `DecodingError` for a progress beyond 0...1.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    index = try members.decode(IndexDefinition.self, forKey: .index)
    smaller = try members.decodeIfPresent(IndexDefinition.self, forKey: .smaller)
    building = try members.decode([IndexDefinition].self, forKey: .building)
    progress = try members.decodeIfPresent(Double.self, forKey: .progress)
    hidden = try members.decode([IndexDefinition].self, forKey: .hidden)
    guard progress.map((0...1).contains) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .progress, in: members, debugDescription: "A progress is a part of 1.")
    }
  }
}

extension DatabaseError {
  /// The index that the query lacks; `nil` for an error with another cause.
  public var missingIndex: MissingIndex? { details as? MissingIndex }
}
