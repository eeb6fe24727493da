import HearthDocumentModel

/// The effect of one write on a document. It is pure: old document and write in, new document out
/// (§7.1).
struct WriteApplication {
  let old: Document?
  let write: Write
  let commitTime: Timestamp
  let databaseID: DatabaseID

  /// The result of a write: the document after it, `nil` if there is none, and the results of its
  /// transforms (§7.3).
  struct Outcome {
    var document: Document?
    var transformResults: [Value] = []
  }

  /// Returns the result of the write. An unchanged document is `old` itself, with its old update
  /// time.
  ///
  /// - Throws: `alreadyExists`, `notFound` or `failedPrecondition` for a precondition that doesn't
  ///   hold (§7.2); `invalidArgument` for a document that gets too large.
  func outcome() throws(DatabaseError) -> Outcome {
    try checkPrecondition()
    let outcome = uncheckedOutcome()
    try checkSize(of: outcome)
    return outcome
  }

  /// Returns the result that the write has if its precondition holds and the document isn't too
  /// large.
  func uncheckedOutcome() -> Outcome {
    switch write.operation {
    case .verify: return Outcome(document: old)
    case .delete: return Outcome(document: nil)
    case .update(let fields, let mask):
      var newFields = merged(fields, mask)
      let results = transform(&newFields)
      return Outcome(document: document(with: newFields), transformResults: results)
    }
  }

  /// Throws if the write can't be applied.
  ///
  /// - Throws: the errors of ``outcome()``.
  func check(_ outcome: Outcome) throws(DatabaseError) {
    try checkPrecondition()
    try checkSize(of: outcome)
  }

  /// An unchanged document has been checked before.
  private func checkSize(of outcome: Outcome) throws(DatabaseError) {
    guard case .update = write.operation, let document = outcome.document,
      document.updateTime == commitTime
    else { return }
    try document.validateSize()
  }

  private func document(with fields: MapValue) -> Document {
    if let old, old.fields == fields { return old }
    return Document(
      path: write.path, fields: fields, createTime: old?.createTime ?? commitTime,
      updateTime: commitTime)
  }

  private func merged(_ fields: MapValue, _ mask: [FieldPath]?) -> MapValue {
    guard let mask else { return fields }
    var merged = old?.fields ?? MapValue()
    for path in mask { merged.set(fields[path], at: path) }
    return merged
  }

  /// Applies the transforms in their order. Each sees the results of those before it.
  private func transform(_ fields: inout MapValue) -> [Value] {
    write.transforms.map { transform in
      let value = transform.operation.applied(to: fields[transform.field], at: commitTime)
      fields.set(value, at: transform.field)
      return transform.operation.result(of: value)
    }
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
      guard old?.updateTime != required else { return }
      guard required <= commitTime else {
        throw .invalidArgument("The required update time cannot be in the future.")
      }
      // A missing document counts as version 0.
      throw DatabaseError(
        .failedPrecondition,
        "the stored version (\(old?.updateTime.microseconds ?? 0)) does not match the required "
          + "base version (\(required.microseconds))")
    }
  }

  private var fullName: String { "\(databaseID)/documents/\(write.path)" }
}
