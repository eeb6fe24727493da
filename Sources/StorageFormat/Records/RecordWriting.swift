import HearthDocumentModel

// The parts of a `DocumentRecord`; the table in its file shows the layout.
extension [UInt8] {
  mutating func append(_ path: ResourcePath) {
    appendVarint(path.segments.count)
    for segment in path.segments { appendString(segment) }
  }

  mutating func append(_ fields: MapValue, own: DatabaseID) {
    appendVarint(fields.count)
    for (name, value) in fields {
      appendString(name)
      append(value, own: own)
    }
  }

  private mutating func append(_ tag: ValueTag) {
    append(tag.rawValue)
  }

  private mutating func append(_ value: Value, own: DatabaseID) {
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
      appendWithByteCount { bytes in
        bytes.appendVarint(elements.count)
        for element in elements { bytes.append(element, own: own) }
      }
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
