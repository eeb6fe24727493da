package import HearthDocumentModel

extension ValueGenerator {
  /// Returns two values that often are equal, or differ in one place.
  package func pair(using random: inout some RandomNumberGenerator) -> (Value, Value) {
    let first = value(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return (first, value(using: &random))
    case 1: return (first, first)
    case 2, 3:
      let second = neighbour(of: first, using: &random)
      return (second, neighbour(of: second, using: &random))
    default: return (first, neighbour(of: first, using: &random))
    }
  }

  /// Returns a value near `value` in the order, or equal to it there.
  package func neighbour(
    of value: Value, using random: inout some RandomNumberGenerator
  ) -> Value {
    switch value {
    case .null: random.oneIn(2) ? .null : .boolean(false)
    case .boolean(let value): .boolean(!value)
    case .integer(let value): neighbour(of: value, using: &random)
    case .double(let value): neighbour(of: value, using: &random)
    case .timestamp(let time):
      (try? Timestamp(microseconds: time.microseconds + .random(in: -1...1, using: &random)))
        .map(Value.timestamp) ?? value
    case .string(let value): .string(neighbour(of: value, using: &random))
    case .bytes(let bytes): neighbour(of: bytes, using: &random)
    case .reference(let name): .reference(neighbour(of: name, using: &random))
    case .geoPoint(let point):
      (try? GeoPoint(latitude: point.latitude.nextUp, longitude: -point.longitude))
        .map(Value.geoPoint) ?? value
    case .array(let elements):
      .array(changed(elements, using: &random) { self.neighbour(of: $0, using: &$1) })
    case .vector(let elements):
      .vector(
        changed(elements, using: &random) { number, random in
          random.oneIn(2) ? number.nextUp : -number
        })
    case .map(let map): .map(neighbour(of: map, using: &random))
    }
  }

  private func neighbour(
    of value: Int64, using random: inout some RandomNumberGenerator
  ) -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .integer(value &+ 1)
    case 1: .integer(0 &- value)
    case 2: .double(Double(value).nextUp)
    case 3: .double(Double(value).nextDown)
    default: .double(Double(value))
    }
  }

  private func neighbour(
    of value: Double, using random: inout some RandomNumberGenerator
  ) -> Value {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .double(value.nextUp)
    case 1: .double(value.nextDown)
    case 2: .double(-value)
    default: Int64(exactly: value.rounded()).map(Value.integer) ?? .double(value)
    }
  }

  private func neighbour(
    of value: String, using random: inout some RandomNumberGenerator
  ) -> String {
    var scalars = Array(value.unicodeScalars)
    switch Int.random(in: 0..<3, using: &random) {
    case 0 where !scalars.isEmpty: scalars.removeLast()
    case 1 where !scalars.isEmpty:
      let index = scalars.count - 1 - Int.random(in: 0..<min(scalars.count, 4), using: &random)
      scalars[index] = Array(characters(1, using: &random).unicodeScalars)[0]
    default: scalars += Array(characters(1, using: &random).unicodeScalars)
    }
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return String(string)
  }

  private func neighbour(
    of bytes: [UInt8], using random: inout some RandomNumberGenerator
  ) -> Value {
    if random.oneIn(8) { return .string(String(decoding: bytes, as: UTF8.self)) }
    return .bytes(
      changed(bytes, using: &random) { byte, random in byte &+ (random.oneIn(2) ? 1 : 255) })
  }

  private func neighbour(
    of name: DocumentName, using random: inout some RandomNumberGenerator
  ) -> DocumentName {
    let segments = name.path.segments
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return DocumentName(
        unchecked: ResourcePath(unchecked: segments + ["sub", "x"]), in: name.database)
    case 1: return DocumentName(unchecked: name.path, in: reference(using: &random).database)
    case 2 where segments.count > 2:
      return DocumentName(unchecked: name.path.parent.parent, in: own)
    default:
      let id = neighbour(of: segments[segments.count - 1], using: &random)
      let path = name.path.parent.appending(unchecked: id.isEmpty ? "a" : id)
      return DocumentName(unchecked: path, in: name.database)
    }
  }

  private func neighbour(
    of map: MapValue, using random: inout some RandomNumberGenerator
  ) -> MapValue {
    let fields = changed(map.map { ($0.name, $0.value) }, using: &random) { field, random in
      random.oneIn(4)
        ? (self.neighbour(of: field.0, using: &random), field.1)
        : (field.0, self.neighbour(of: field.1, using: &random))
    }
    return MapValue(fields)
  }

  /// Returns `elements` with one of the last ones changed, left out or doubled.
  private func changed<Element, R: RandomNumberGenerator>(
    _ elements: [Element], using random: inout R, _ change: (Element, inout R) -> Element
  ) -> [Element] {
    guard !elements.isEmpty else { return elements }
    var elements = elements
    let index = elements.count - 1 - Int.random(in: 0..<min(elements.count, 3), using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: elements.remove(at: index)
    case 1: elements.append(elements[index])
    default: elements[index] = change(elements[index], &random)
    }
    return elements
  }
}
