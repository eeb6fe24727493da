import Hearth

/// A write of one document, requested from a reference, a batch or a transaction.
enum DocumentWrite: Sendable {
  case set(FieldData, merge: Bool)
  case setFields(FieldData, [Hearth.FieldPath])
  case update([(Hearth.FieldPath, Hearth.FieldValue)])
  case delete
}

extension DocumentWrite {
  /// Creates a write that sets a document.
  ///
  /// - Throws: `invalidArgument` for data that no document can hold. The other functions throw the
  ///   same.
  static func set(_ data: [String: Any], merge: Bool) throws(DatabaseError) -> DocumentWrite {
    .set(try AnyReader.data(data), merge: merge)
  }

  static func set(
    _ data: [String: Any], mergeFields: [Any]
  ) throws(DatabaseError) -> DocumentWrite {
    .setFields(try AnyReader.data(data), try fields(mergeFields))
  }

  /// Returns the paths that a merge is limited to.
  static func fields(_ mergeFields: [Any]) throws(DatabaseError) -> [Hearth.FieldPath] {
    var fields: [Hearth.FieldPath] = []
    for field in mergeFields {
      fields.append(
        try Hearth.FieldPath(
          any: field, refusal: "All elements in mergeFields: must be Strings or FieldPaths."))
    }
    return fields
  }

  static func update(_ changes: [AnyHashable: Any]) throws(DatabaseError) -> DocumentWrite {
    var pairs: [(Hearth.FieldPath, Hearth.FieldValue)] = []
    for (key, any) in changes {
      let path = try Hearth.FieldPath(
        any: key.base, refusal: "Dictionary keys in updateData: must be Strings or FieldPaths.")
      pairs.append((path, try AnyReader.change(any, of: path)))
    }
    return .update(pairs.sorted { $0.0 < $1.0 })
  }
}

extension Hearth.WriteBatch {
  mutating func append(_ write: DocumentWrite, for document: Hearth.DocumentReference) {
    switch write {
    case .set(let data, let merge): setData(data, for: document, merge: merge)
    case .setFields(let data, let fields):
      setData(data, for: document, mergeFields: fields.map(\.description))
    case .update(let changes): updateData(changes, for: document)
    case .delete: delete(document)
    }
  }
}
