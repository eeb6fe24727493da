package import HearthDocumentModel

// Reads by place and type. They return `nil` for a value of another type, so that the caller can
// report the type that it met. All of them throw ``CorruptBytes``.
extension DocumentRecord {
  /// Returns the tag of the value at `place`; that of a map for ``root``.
  package func tag(at place: Int) throws(CorruptBytes) -> ValueTag {
    guard place != root else { return .map }
    var reader = self.reader(at: place)
    return try reader.readTag()
  }

  package func isNull(at place: Int) throws(CorruptBytes) -> Bool { try tag(at: place) == .null }

  package func boolean(at place: Int) throws(CorruptBytes) -> Bool? {
    switch try tag(at: place) {
    case .false: false
    case .true: true
    default: nil
    }
  }

  package func integer(at place: Int) throws(CorruptBytes) -> Int64? {
    try read(.integer, at: place) { (reader) throws(CorruptBytes) in
      try reader.readSigned("integer")
    }
  }

  package func double(at place: Int) throws(CorruptBytes) -> Double? {
    try read(.double, at: place) { (reader) throws(CorruptBytes) in
      try reader.readDouble("double")
    }
  }

  package func timestamp(at place: Int) throws(CorruptBytes) -> Timestamp? {
    try read(.timestamp, at: place) { (reader) throws(CorruptBytes) in
      try reader.readTimestamp("timestamp")
    }
  }

  package func string(at place: Int) throws(CorruptBytes) -> String? {
    try read(.string, at: place) { (reader) throws(CorruptBytes) in
      String(copying: try reader.readUTF8("string"))
    }
  }

  /// Passes the content of a bytes value to `body`, without copying it.
  package func withBytes<Result>(
    at place: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(CorruptBytes) -> Result? {
    try read(.bytes, at: place) { (reader) throws(CorruptBytes) in
      try reader.readBytes(reader.readCount("bytes"), "bytes").withUnsafeBytes(body)
    }
  }

  /// Returns the elements of a vector.
  package func vector(at place: Int) throws(CorruptBytes) -> [Double]? {
    try read(.vector, at: place) { (reader) throws(CorruptBytes) in try reader.readVector() }
  }

  package func geoPoint(at place: Int) throws(CorruptBytes) -> GeoPoint? {
    try read(.geoPoint, at: place) { (reader) throws(CorruptBytes) in try reader.readGeoPoint() }
  }

  package func reference(at place: Int) throws(CorruptBytes) -> DocumentName? {
    let tag = try tag(at: place)
    guard tag == .reference || tag == .foreignReference,
      case .reference(let name) = try value(at: place)
    else { return nil }
    return name
  }

  @inline(__always)
  private func read<Result>(
    _ tag: ValueTag, at place: Int,
    _ body: (inout ByteReader) throws(CorruptBytes) -> Result
  ) throws(CorruptBytes) -> Result? {
    guard place != root else { return nil }
    var reader = self.reader(at: place)
    guard try reader.readTag() == tag else { return nil }
    return try body(&reader)
  }

  // MARK: Maps

  /// Returns the fields of the map at `place`; `nil` for a value of another type. ``root`` is the
  /// place of the document's own fields.
  package func map(at place: Int) throws(CorruptBytes) -> FieldPlaces? {
    var map = FieldPlaces()
    return try read(&map, at: place) ? map : nil
  }

  /// Reads the map at `place` into `map`, and replaces its contents.
  ///
  /// - Returns: `false` for a value of another type.
  @inline(__always)
  package func read(_ map: inout FieldPlaces, at place: Int) throws(CorruptBytes) -> Bool {
    var reader = self.reader(at: place)
    guard place != root else {
      try map.read(&reader, place: place)
      try reader.requireEnd()
      return true
    }
    guard try reader.readTag() == .map else { return false }
    let end = try reader.readEnclosedStart(0)
    try map.read(&reader, place: place)
    try reader.requireOffset(end)
    return true
  }
}
