import DocumentModel

extension IndexDefinition: CustomStringConvertible {
  /// The columns as production's plans print them (§5.10):
  /// `(a ASC, tags ARRAY_CONTAINS, b DESC, __name__ DESC)`.
  public var description: String {
    "(\(columns.map(\.description).joined(separator: ", ")))"
  }
}

extension IndexColumn: CustomStringConvertible {
  /// Such as `a ASC`.
  public var description: String {
    switch mode {
    case .ascending: "\(field) ASC"
    case .descending: "\(field) DESC"
    case .contains: "\(field) ARRAY_CONTAINS"
    }
  }
}

extension Order: CustomStringConvertible {
  /// Such as `a ASC`.
  public var description: String { "\(field) \(direction == .ascending ? "ASC" : "DESC")" }
}
