import HearthDocumentModel

/// An encoded value: fields with values, and changes for the other fields.
struct EncodedDocument {
  let fields: MapValue
  let changes: [EncodedChange]

  /// The fields and the changes together.
  var data: FieldData {
    var data = FieldData(fields)
    for change in changes { data.insert(change.change, at: change.path[...]) }
    return data
  }
}

/// A change that a write makes to a field instead of giving it a value.
struct EncodedChange {
  /// Names on the path to the field.
  let path: [String]
  let change: FieldValue
}

extension FieldData {
  fileprivate mutating func insert(_ change: FieldValue, at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    guard path.count > 1 else {
      self[name] = change
      return
    }
    var inner =
      switch self[name] {
      case .map(let data): data
      case .value(.map(let values)): FieldData(values)
      default: FieldData()
      }
    inner.insert(change, at: path.dropFirst())
    self[name] = .map(inner)
  }
}

extension Write {
  static func creating(
    _ path: ResourcePath, _ document: EncodedDocument
  ) throws(DatabaseError) -> Write {
    // Values alone need no check of each field.
    document.changes.isEmpty
      ? .create(path, document.fields) : try .creating(path, document.data)
  }

  static func setting(
    _ path: ResourcePath, _ document: EncodedDocument, merge: Bool
  ) throws(DatabaseError) -> Write {
    guard document.changes.isEmpty else {
      return try .setting(path, document.data, merge: merge)
    }
    return merge ? .merge(path, document.fields) : .set(path, document.fields)
  }
}

extension FieldValue: Encodable {
  /// Encodes the change if a document is encoded for a write. A plain value can be encoded in any
  /// document.
  public func encode(to encoder: any Encoder) throws {
    if case .value(let value) = self { return try value.encode(to: encoder) }
    try encoder.ofDocument(self, orThrow: "Only a write holds a FieldValue.").setChange(self)
  }
}
