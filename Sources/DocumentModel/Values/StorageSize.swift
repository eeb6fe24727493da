// Storage sizes, the unit of limits and bills (§1.3). They are Firestore's figures, not
// the numbers of bytes that Hearth writes.

extension Value {
  /// The size in bytes that limits count (§1.3).
  public var storageByteCount: Int { inlinedByteCount }

  /// The size in bytes. As it is inlined, a value isn't copied out of its array to be measured.
  @inline(__always) fileprivate var inlinedByteCount: Int {
    switch self {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let string): string.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name): name.path.storageByteCount
    case .geoPoint: 16
    case .array(let elements): elements.elementByteCount
    case .vector(let elements): elements.count * 8
    case .map(let map): map.storageByteCount
    }
  }

  /// The value's size in an index entry: at most 1,500 bytes (§1.3).
  package var indexedByteCount: Int { min(storageByteCount, Limits.indexedValueByteCount) }
}

extension MapValue {
  /// The size in bytes that limits count (§1.3).
  public var storageByteCount: Int {
    let (names, values) = (names.span, values.span)
    var byteCount = names.count
    for index in names.indices {
      byteCount += names[unchecked: index].utf8.count + values[index].inlinedByteCount
    }
    return byteCount
  }
}

extension [Value] {
  /// The size in bytes of all elements.
  fileprivate var elementByteCount: Int {
    let elements = span
    var byteCount = 0
    for index in elements.indices { byteCount += elements[unchecked: index].inlinedByteCount }
    return byteCount
  }
}

extension ResourcePath {
  /// The size in bytes that limits count (§1.3).
  public var storageByteCount: Int {
    segments.reduce(16) { $0 + $1.utf8.count + 1 }
  }
}

extension FieldPath {
  package var storageByteCount: Int {
    names.reduce(0) { $0 + $1.utf8.count + 1 }
  }
}

/// Computes the storage sizes of a document's index entries, which the limits of §1.2 count (§1.3).
///
/// A value counts at most 1,500 bytes: callers add up ``Value/indexedByteCount``.
package struct IndexEntrySize: Sendable {
  private let nameByteCount: Int
  /// The size of the name of the document above the collection. The root counts as a name without
  /// segments.
  private let parentByteCount: Int

  package init(of document: ResourcePath) {
    nameByteCount = document.storageByteCount
    parentByteCount = document.parent.parent.storageByteCount
  }

  /// Returns the size of an automatic index's entry.
  package func automatic(_ field: FieldPath, valueByteCount: Int, isGroup: Bool) -> Int {
    let entry = nameByteCount + field.storageByteCount + valueByteCount
    return isGroup ? entry + 48 : entry + parentByteCount + 32
  }

  /// Returns the size of a composite index's entry. Its values count `valueByteCount` together.
  package func composite(valueByteCount: Int, isGroup: Bool) -> Int {
    let entry = nameByteCount + valueByteCount + 32
    return isGroup ? entry : entry + parentByteCount
  }
}
