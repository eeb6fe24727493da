import HearthDocumentModel

extension IndexDefinition: CustomStringConvertible {
  /// The columns as production's plans print them (§5.10):
  /// `(a ASC, tags ARRAY_CONTAINS, b DESC, __name__ DESC)`.
  /// A vector is last: `(a ASC, __name__ ASC, emb VECTOR<3>)`.
  public var description: String {
    let vector = vector.map { ", \($0.field) VECTOR<\($0.dimension)>" } ?? ""
    return "(\(columns.map(\.description).joined(separator: ", "))\(vector))"
  }
}

extension IndexColumn: CustomStringConvertible {
  /// The column as plans print it, such as `a ASC`.
  public var description: String { "\(field) \(mode.abbreviation)" }
}

extension Order: CustomStringConvertible {
  /// The order as plans print it, such as `a ASC`.
  public var description: String { "\(field) \(direction == .ascending ? "ASC" : "DESC")" }
}
