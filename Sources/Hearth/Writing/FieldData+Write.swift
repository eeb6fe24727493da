import HearthDocumentModel

// Conversion of a call's data into a write (§7.1). The error texts are those of Firebase's SDKs,
// which check the same before they send a request.

extension Write {
  static func creating(_ path: ResourcePath, _ data: FieldData) throws(DatabaseError) -> Write {
    var parts = WriteParts(.set)
    return .create(path, try parts.values(of: data, below: []), transforms: parts.transforms)
  }

  static func setting(
    _ path: ResourcePath, _ data: FieldData, merge: Bool
  ) throws(DatabaseError) -> Write {
    var parts = WriteParts(merge ? .merge : .set)
    let values = try parts.values(of: data, below: [])
    return Write(
      path: path, operation: .update(fields: values, mask: merge ? parts.mask : nil),
      transforms: parts.transforms)
  }

  /// Creates a write that sets only the given paths, each of which `data` must have.
  static func setting(
    _ path: ResourcePath, _ data: FieldData, mergeFields: [String]
  ) throws(DatabaseError) -> Write {
    var parts = WriteParts(.merge)
    let values = try parts.values(of: data, below: [])
    var mask: [FieldPath] = []
    for text in mergeFields {
      let field = try FieldPath(text)
      guard parts.contains(field) else {
        throw .invalidArgument(
          "Field '\(field)' is specified in your field mask but missing from your input data.")
      }
      if !mask.contains(field) { mask.append(field) }
    }
    let transforms = parts.transforms.filter { transform in
      mask.contains { transform.field.hasPrefix($0) }
    }
    // A field in the mask without a value would be removed before it is transformed.
    mask.removeAll { field in transforms.contains { $0.field == field } }
    var masked = MapValue()
    for field in mask { masked.set(values[field], at: field) }
    return Write(
      path: path, operation: .update(fields: masked, mask: mask), transforms: transforms)
  }

  /// Creates an update whose names are field paths.
  static func updating(
    _ path: ResourcePath, _ data: FieldData, if precondition: Precondition
  ) throws(DatabaseError) -> Write {
    var changes: [(FieldPath, FieldValue)] = []
    for field in data.fields { changes.append((try FieldPath(field.name), field.value)) }
    return try updating(path, changes, if: precondition)
  }

  static func updating(
    _ path: ResourcePath, _ changes: [(FieldPath, FieldValue)], if precondition: Precondition
  ) throws(DatabaseError) -> Write {
    try changes.map { $0.0 }.checkDistinct()
    var parts = WriteParts(.update)
    var values = MapValue()
    var mask: [FieldPath] = []
    for (field, change) in changes {
      switch change {
      case .value(let value): values.set(value, at: field)
      case .map(let data):
        values.set(.map(try parts.values(of: data, below: field.names)), at: field)
      case .delete: break
      case .transform(let operation):
        parts.transforms.append(FieldTransform(field, operation))
        continue
      }
      mask.append(field)
    }
    return Write(
      path: path, operation: .update(fields: values, mask: mask), transforms: parts.transforms,
      precondition: precondition)
  }
}

/// The parts of a write's data besides its values.
private struct WriteParts {
  enum Use { case set, merge, update }

  let use: Use
  /// Paths of all data except for transforms and for maps with fields of their own.
  private(set) var mask: [FieldPath] = []
  var transforms: [FieldTransform] = []

  init(_ use: Use) {
    self.use = use
  }

  /// Whether the write has data at `field` or below it.
  func contains(_ field: FieldPath) -> Bool {
    mask.contains { $0.hasPrefix(field) } || transforms.contains { $0.field.hasPrefix(field) }
  }

  /// Returns the values of a map, and adds everything that isn't a value to the other parts.
  mutating func values(
    of data: FieldData, below path: [String]
  ) throws(DatabaseError) -> MapValue {
    // Deeper data is refused in any case; here the refusal comes before it exhausts the stack.
    guard path.count <= Limits.nestingDepth + 1 else {
      throw .invalidArgument("Property \(path[0]) contains an invalid nested entity.")
    }
    try data.fields.map { FieldPath(unchecked: path + [$0.name]) }.checkDistinct()
    var values: [(String, Value)] = []
    for (name, field) in data.fields {
      let names = path + [name]
      switch field {
      case .value(let value):
        values.append((name, value))
        appendLeaves(of: value, at: names)
      case .map(let inner):
        values.append((name, .map(try self.values(of: inner, below: names))))
        if inner.isEmpty { mask.append(FieldPath(unchecked: names)) }
      case .delete: mask.append(try deleted(names))
      case .transform(let operation):
        transforms.append(FieldTransform(try FieldPath(names: names), operation))
      }
    }
    return MapValue(values)
  }

  private mutating func appendLeaves(of value: Value, at names: [String]) {
    guard use == .merge else { return }
    guard case .map(let inner) = value, !inner.isEmpty else {
      mask.append(FieldPath(unchecked: names))
      return
    }
    mask += inner.leafPaths.map { FieldPath(unchecked: names + $0.names) }
  }

  private func deleted(_ names: [String]) throws(DatabaseError) -> FieldPath {
    let field = try FieldPath(names: names)
    switch use {
    case .merge: return field
    case .set:
      throw .invalidArgument(
        "FieldValue.delete() can only be used with updateData() and setData() with merge:true "
          + "(found in field \(field))")
    case .update:
      throw .invalidArgument(
        "FieldValue.delete() can only appear at the top level of your update data "
          + "(found in field \(field))")
    }
  }
}
