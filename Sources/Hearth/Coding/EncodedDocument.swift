import DocumentModel

/// What a type encodes as: the values of fields, and what a write does with others.
struct EncodedDocument {
  let fields: MapValue
  let changes: [EncodedChange]

  /// All in one.
  var data: FieldData {
    var data = FieldData(fields)
    for change in changes { data.insert(change.change, at: change.path[...]) }
    return data
  }
}

/// What a write does with a field in place of giving it a value.
struct EncodedChange {
  /// The names on the way to the field.
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
    // Values alone need no look at each of them.
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
  /// Writes what the field value says, where a document is encoded for a write; values go into
  /// every document.
  public func encode(to encoder: any Encoder) throws {
    if case .value(let value) = self { return try value.encode(to: encoder) }
    guard let encoder = encoder as? FieldEncoder else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "Only a write holds a FieldValue."))
    }
    encoder.setChange(self)
  }
}
