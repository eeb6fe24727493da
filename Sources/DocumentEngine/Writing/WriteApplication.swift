import DocumentModel

/// What one write makes of a document: pure, old and write in, new out (§7.1).
struct WriteApplication {
  let old: Document?
  let write: Write
  let commitTime: Timestamp
  let databaseID: DatabaseID

  /// The document behind the write, `nil` if there is none. An unchanged one is `old` itself, with
  /// its old update time.
  ///
  /// - Throws: `alreadyExists`, `notFound` or `failedPrecondition` for a precondition that doesn't
  ///   hold (§7.2); `invalidArgument` for a document that gets too large.
  func result() throws(DatabaseError) -> Document? {
    try checkPrecondition()
    guard case .update(let fields, let mask) = write.operation else { return nil }
    let newFields = merged(fields, mask)
    if let old, old.fields == newFields { return old }
    let new = Document(
      path: write.path, fields: newFields, createTime: old?.createTime ?? commitTime,
      updateTime: commitTime)
    try new.validateSize()
    return new
  }

  private func merged(_ fields: MapValue, _ mask: [FieldPath]?) -> MapValue {
    guard let mask else { return fields }
    var merged = old?.fields ?? MapValue()
    for path in mask { merged.set(fields[path], at: path) }
    return merged
  }

  private func checkPrecondition() throws(DatabaseError) {
    switch write.precondition {
    case nil: return
    case .exists(false):
      guard old == nil else {
        throw DatabaseError(.alreadyExists, "Document already exists: \(fullName)")
      }
    case .exists(true):
      guard old != nil else {
        throw DatabaseError(.notFound, "No document to update: \(fullName)")
      }
    case .updateTime(let required):
      guard let old else {
        throw DatabaseError(.notFound, "No document to update: \(fullName)")
      }
      guard old.updateTime == required else {
        throw DatabaseError(
          .failedPrecondition,
          "the stored version (\(old.updateTime.microseconds)) does not match the required base "
            + "version (\(required.microseconds))")
      }
    }
  }

  private var fullName: String { "\(databaseID)/documents/\(write.path)" }
}
