import HearthDocumentModel

// The parts of a `DocumentRecord`; the table in its file shows the layout.
extension [UInt8] {
  mutating func append(_ path: ResourcePath) {
    appendVarint(path.segments.count)
    for segment in path.segments { appendString(segment) }
  }

  mutating func append(_ fields: MapValue, own: DatabaseID) {
    let (names, values) = (fields.names.span, fields.values.span)
    appendVarint(names.count)
    for index in names.indices {
      appendString(names[unchecked: index])
      appendInlined(values[index], own: own)
    }
  }

  private mutating func append(_ tag: ValueTag) {
    append(tag.rawValue)
  }

  private mutating func append(_ elements: [Value], own: DatabaseID) {
    let elements = elements.span
    appendVarint(elements.count)
    for index in elements.indices { appendInlined(elements[unchecked: index], own: own) }
  }

  /// Appends a value. As it is inlined, the value isn't copied out of its array to be written.
  @inline(__always)
  private mutating func appendInlined(_ value: Value, own: DatabaseID) {
    switch value {
    case .null: append(.null)
    case .boolean(let value): append(value ? .true : .false)
    case .integer(let value):
      append(.integer)
      appendSigned(value)
    case .double(let value):
      append(.double)
      appendDouble(value)
    case .timestamp(let value):
      append(.timestamp)
      append(value)
    case .string(let value):
      append(.string)
      appendString(value)
    case .bytes(let value):
      append(.bytes)
      appendByteArray(value)
    case .reference(let name): append(name, own: own)
    case .geoPoint(let point):
      append(.geoPoint)
      appendDouble(point.latitude)
      appendDouble(point.longitude)
    case .array(let elements):
      append(.array)
      appendWithByteCount { $0.append(elements, own: own) }
    case .vector(let elements):
      append(.vector)
      appendVarint(elements.count)
      for element in elements { appendDouble(element) }
    case .map(let map):
      append(.map)
      appendWithByteCount { $0.append(map, own: own) }
    }
  }

  private mutating func append(_ name: DocumentName, own: DatabaseID) {
    let isOwn = name.database == own
    append(isOwn ? .reference : .foreignReference)
    appendWithByteCount { bytes in
      if !isOwn {
        bytes.appendString(name.database.project)
        bytes.appendString(name.database.database)
      }
      bytes.append(name.path)
    }
  }
}
