package import HearthDocumentModel

extension IndexDefinition {
  /// Checks the rules for a composite index (§3.4).
  ///
  /// - Throws: `invalidArgument`.
  package func validate() throws(DatabaseError) {
    let fields = columns.dropLast()
    _ = try ResourcePath.validated(collectionGroup, isCollection: true)
    guard !fields.contains(where: { $0.field == .documentID }) else {
      throw .invalidArgument("__name__ must be the last field of an index.")
    }
    guard fields.count <= Limits.fieldsPerIndex else {
      throw .invalidArgument("An index may not have more than \(Limits.fieldsPerIndex) fields.")
    }
    guard fields.count(where: { $0.mode == .contains }) <= 1 else {
      throw .invalidArgument("An index may not have more than one CONTAINS field.")
    }
    guard Set(columns).count == columns.count, columns.last?.mode != .contains else {
      throw .invalidArgument("A field may stand in an index only once in one mode.")
    }
    guard vector == nil else { return try validateVector() }
    let isUnnecessary = singleField != nil || columns == [IndexColumn(.documentID, .ascending)]
    guard !isUnnecessary else {
      throw .invalidArgument(
        "this index is not necessary, configure using single field index controls")
    }
  }

  /// Checks the rules for a vector index, which needs no field beside the vector (§3.4).
  private func validateVector() throws(DatabaseError) {
    guard let vector else { return }
    guard !vector.field.isDocumentID else {
      throw .invalidArgument("__name__ is no vector.")
    }
    guard columns.count <= Limits.fieldsPerIndex else {
      throw .invalidArgument("An index may not have more than \(Limits.fieldsPerIndex) fields.")
    }
    guard (1...Limits.vectorDimension).contains(vector.dimension) else {
      throw .invalidArgument(
        "The dimension of a vector index must be from 1 to \(Limits.vectorDimension).")
    }
  }
}
