/// The fields of a document or a map, sorted by the UTF-8 bytes of their names.
///
/// - Complexity: looking up a name is a binary search; maps of at most 16 fields are searched in
///   order.
public struct MapValue: Sendable {
  /// A name and its value.
  public typealias Field = (name: String, value: Value)

  /// The names in their order. Documents that look alike share one list.
  package private(set) var names: [String]
  /// The value of each name.
  package private(set) var values: [Value]

  /// Creates a map without fields.
  public init() { (names, values) = ([], []) }

  /// Creates a map with `fields`. The last of several fields with one name wins.
  public init(_ fields: some Sequence<(String, Value)>) {
    var sorted: [Field] = fields.map { (name: $0.0, value: $0.1) }
    // The standard sort keeps equal names in their order.
    sorted.sort { $0.name.utf8Compare($1.name) == .less }
    self.init()
    reserveCapacity(sorted.count)
    for field in sorted {
      if let last = names.last, last.utf8Equal(field.name) {
        values[values.count - 1] = field.value
      } else {
        append(field.name, field.value)
      }
    }
  }

  /// Creates a map with fields that are known to be sorted and distinct.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - values: as many values.
  package init(sortedNames names: [String], _ values: [Value]) {
    (self.names, self.values) = (names, values)
  }

  /// Creates a map with fields that are known to be sorted and distinct.
  package init(sorted fields: some Collection<Field>) {
    names = fields.map(\.name)
    values = fields.map(\.value)
  }

  package mutating func reserveCapacity(_ count: Int) {
    names.reserveCapacity(count)
    values.reserveCapacity(count)
  }

  /// Adds a field whose name is known to follow all others.
  package mutating func append(_ name: String, _ value: Value) {
    names.append(name)
    values.append(value)
  }

  public subscript(name: String) -> Value? {
    get {
      guard let index = index(of: name) else { return nil }
      return values[index]
    }
    set {
      let index = position(of: name)
      switch (isField(name, at: index), newValue) {
      case (true, let value?): values[index] = value
      case (true, nil):
        names.remove(at: index)
        values.remove(at: index)
      case (false, let value?):
        names.insert(name, at: index)
        values.insert(value, at: index)
      case (false, nil): break
      }
    }
  }

  /// Returns the index of the field named `name`; `nil` if there is none.
  private func index(of name: String) -> Int? {
    guard names.count > MapValue.linearLimit else {
      let byteCount = name.utf8.count
      let names = names.span
      for index in names.indices
      where names[unchecked: index].utf8.count == byteCount
        && names[unchecked: index].utf8Equal(name)
      {
        return index
      }
      return nil
    }
    let index = position(of: name)
    return isField(name, at: index) ? index : nil
  }

  /// The number of fields up to which a look-up is linear. It compares the lengths of the names
  /// first, which tell most names apart.
  private static let linearLimit = 16

  /// Returns the index of the first field whose name is not below `name`.
  private func position(of name: String) -> Int {
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle].utf8Compare(name) == .less { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isField(_ name: String, at index: Int) -> Bool {
    index < names.count && names[index].utf8Equal(name)
  }
}

extension MapValue: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { names.count }
  public subscript(position: Int) -> Field { (names[position], values[position]) }
}

extension MapValue: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements)
  }
}

extension MapValue: Equatable {
  /// Whether both hold the same data; 1 and 1.0 differ here.
  public static func == (left: MapValue, right: MapValue) -> Bool {
    left.count == right.count
      && left.names.indices.allSatisfy { left.names[$0].utf8Equal(right.names[$0]) }
      && left.values == right.values
  }
}

extension MapValue {
  /// Accesses the value at `path`, through nested maps.
  public subscript(path: FieldPath) -> Value? {
    if path.names.count == 1 { return self[path.names[0]] }
    var map = self
    for name in path.names.dropLast() {
      guard case .map(let inner)? = map[name] else { return nil }
      map = inner
    }
    guard let last = path.names.last else { return nil }
    return map[last]
  }

  /// Sets the value at `path`, and replaces values on the way that are no maps (§7.1). `nil`
  /// removes the value.
  public mutating func set(_ value: Value?, at path: FieldPath) {
    set(value, at: path.names[...])
  }

  private mutating func set(_ value: Value?, at names: ArraySlice<String>) {
    guard let name = names.first else { return }
    guard names.count > 1 else {
      self[name] = value
      return
    }
    if case .map(var inner)? = self[name] {
      inner.set(value, at: names.dropFirst())
      self[name] = .map(inner)
    } else if value != nil {
      var inner = MapValue()
      inner.set(value, at: names.dropFirst())
      self[name] = .map(inner)
    }
  }
}
