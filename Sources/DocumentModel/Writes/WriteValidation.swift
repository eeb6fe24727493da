extension Write {
  /// Checks everything that needs no look at the database: names, values and their limits (§1.1,
  /// §1.2).
  ///
  /// - Throws: `invalidArgument` with production's text.
  package func validate() throws(DatabaseError) {
    guard path.isDocument else {
      throw .invalidArgument(
        "Document name \"\(path)\" lacks \"/\" at index \(path.description.utf8.count).")
    }
    try path.refuseNumericIDs()
    guard path.storageByteCount <= Limits.documentNameByteCount else {
      throw .invalidArgument(
        "The document name is longer than \(Limits.documentNameByteCount) bytes.")
    }
    guard case .update(let fields, let mask) = operation else {
      return try refuseTransforms()
    }
    guard !(mask ?? []).contains(.documentID) else {
      throw .invalidArgument("field name __name__ is reserved")
    }
    try fields.validate(property: nil, depth: 0)
    for transform in transforms { try transform.validate() }
    try refuseNestedTransforms()
  }

  private func refuseTransforms() throws(DatabaseError) {
    guard !transforms.isEmpty else { return }
    let name = operation == .delete ? "delete" : "verify"
    throw .invalidArgument("a \(name) must not specify a update transform.")
  }

  /// Throws if a field is transformed together with a field inside it. A field may be transformed
  /// more than once (§7.3).
  private func refuseNestedTransforms() throws(DatabaseError) {
    guard transforms.count > 1 else { return }
    let fields = transforms.map(\.field).sorted()
    for (outer, inner) in zip(fields, fields.dropFirst())
    where inner != outer && inner.hasPrefix(outer) {
      throw .invalidArgument(
        "Cannot transform property \(outer.names.joined(separator: ".")) and its nested property "
          + "at the same time.")
    }
  }

  /// Checks that no document of a commit has too many transforms (§1.2).
  ///
  /// - Throws: `invalidArgument` with production's text.
  package static func validateTransformCounts(_ writes: [Write]) throws(DatabaseError) {
    var counts: [ResourcePath: Int] = [:]
    for write in writes where !write.transforms.isEmpty {
      counts[write.path, default: 0] += write.transforms.count
      guard counts[write.path, default: 0] <= Limits.transformsPerDocument else {
        throw .invalidArgument(
          "cannot have more than \(Limits.transformsPerDocument) field transforms on a single "
            + "document")
      }
    }
  }
}

extension FieldTransform {
  /// Checks the field and the operand (§7.3).
  fileprivate func validate() throws(DatabaseError) {
    let name = field.names.first ?? ""
    guard field != .documentID else { throw .invalidArgument("field name __name__ is reserved") }
    // The maps along the field's path count as nesting around the value, too.
    let depth = field.names.count - 1
    try Value.checkDepth(depth, name)
    switch operation {
    case .serverTimestamp: break
    case .increment(let operand), .maximum(let operand), .minimum(let operand):
      guard operand.typeClass == .number else {
        throw .invalidArgument("Input must be a number.")
      }
      try operand.validate(property: name, depth: depth)
    case .arrayUnion(let operands), .arrayRemove(let operands):
      try Value.array(operands).validate(property: name, depth: depth)
    }
  }
}

extension Document {
  /// - Throws: `invalidArgument` if the document is larger than 1 MiB by §1.3.
  package func validateSize() throws(DatabaseError) {
    let size = storageByteCount
    guard size <= Limits.documentByteCount else {
      throw .invalidArgument(
        "Document \"\(path)\" cannot be written because its size (\(size) bytes) exceeds the "
          + "maximum allowed size of \(Limits.documentByteCount) bytes.")
    }
  }
}

extension MapValue {
  /// - Parameters:
  ///   - property: the top-level field that the map lies in; production's texts name it.
  ///   - depth: the number of maps and arrays around this map's values.
  fileprivate func validate(property: String?, depth: Int) throws(DatabaseError) {
    let (names, values) = (names.span, values.span)
    for index in names.indices {
      if names[unchecked: index].isPlainlyValidName && values[index].isPlainlyValid { continue }
      let name = names[index]
      try MapValue.validate(name, in: property)
      try values[index].validate(property: property ?? name, depth: depth)
    }
  }

  /// Checks the name of a field.
  private static func validate(_ name: String, in property: String?) throws(DatabaseError) {
    guard !name.isEmpty else {
      throw property.map { .nestedEntity(in: $0) }
        ?? .invalidArgument("The property.name is the empty string.")
    }
    guard name.utf8.count <= Limits.fieldNameByteCount else {
      throw .invalidArgument(
        "The property.name is longer than \(Limits.fieldNameByteCount) bytes.")
    }
    guard !name.isReservedName else {
      throw .invalidArgument("field name \(name) is reserved")
    }
  }
}

// Most fields are valid by these short tests, which are inlined, so that nothing is copied out of
// the arrays.

extension String {
  /// Whether the name of a field is valid. `false` says nothing.
  @inline(__always) fileprivate var isPlainlyValidName: Bool {
    !isEmpty && utf8.count <= Limits.fieldNameByteCount && !beginsWithUnderscore
  }
}

extension Value {
  /// Whether the value is valid at any place. `false` says nothing.
  @inline(__always) fileprivate var isPlainlyValid: Bool {
    switch self {
    case .null, .boolean, .integer, .double, .timestamp, .geoPoint: true
    case .string(let string): string.utf8.count <= Limits.valueByteCount
    case .bytes(let bytes): bytes.count <= Limits.valueByteCount
    case .reference, .array, .vector, .map: false
    }
  }
}

extension Value {
  /// Whether arrays and maps are nested deeper than §1.2 allows. It keeps a list of its own instead
  /// of recursing, so that no depth can exhaust the stack.
  package var isNestedTooDeep: Bool {
    switch self {
    case .array, .map: break
    default: return false
    }
    var pending = [(value: self, depth: 0)]
    while let (value, depth) = pending.popLast() {
      if depth > Limits.nestingDepth { return true }
      switch value {
      case .array(let elements): pending += elements.map { ($0, depth + 1) }
      case .map(let map): pending += map.map { ($0.value, depth + 1) }
      default: break
      }
    }
    return false
  }

  fileprivate func validate(property: String, depth: Int) throws(DatabaseError) {
    switch self {
    case .string, .bytes:
      guard isPlainlyValid else {
        throw .invalidArgument(
          "The value of property \"\(property)\" is longer than \(Limits.valueByteCount) bytes.")
      }
    case .reference(let name): try name.path.refuseNumericIDs()
    case .vector(let elements):
      guard !elements.isEmpty else { throw .invalidArgument("Cannot have a zero length vector.") }
      guard elements.count <= Limits.vectorDimension else {
        throw .invalidArgument(
          "Property \(property) is a vector of \(elements.count) dimensions; a vector has 1 to "
            + "\(Limits.vectorDimension).")
      }
      guard !elements.contains(where: \.isNaN) else { throw .vectorWithNaN }
    case .map(let map):
      try Value.checkDepth(depth + 1, property)
      try map.validate(property: property, depth: depth + 1)
    case .array(let elements):
      try Value.checkDepth(depth + 1, property)
      try elements.validate(property: property, depth: depth + 1)
    default: break
    }
  }

  fileprivate static func checkDepth(_ depth: Int, _ property: String) throws(DatabaseError) {
    guard depth <= Limits.nestingDepth else {
      throw .nestedEntity(in: property)
    }
  }
}

extension [Value] {
  fileprivate func validate(property: String, depth: Int) throws(DatabaseError) {
    let elements = span
    for index in elements.indices where !elements[unchecked: index].isPlainlyValid {
      switch elements[index] {
      case .array: throw .invalidArgument("Nested arrays are not allowed")
      case .vector: throw .invalidArgument("Cannot convert a vector value in an array value.")
      case let element: try element.validate(property: property, depth: depth)
      }
    }
  }
}

extension DatabaseError {
  /// The refusal of a vector with NaN: distances can't be computed from it (§2.1).
  package static var vectorWithNaN: DatabaseError {
    .invalidArgument("Vector cannot contain NaN values.")
  }

  fileprivate static func nestedEntity(in property: String) -> DatabaseError {
    .invalidArgument("Property \(property) contains an invalid nested entity.")
  }
}
