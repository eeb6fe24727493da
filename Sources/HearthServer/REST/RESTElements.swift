import HearthFirestoreJSON

/// The array with the answers of a call that streams. It leaves in parts.
struct RESTElements {
  /// Bytes that are collected before a part leaves. An answer of fewer bytes leaves whole.
  private static let partByteCount = 64 << 10

  private var bytes = Array("[".utf8)
  private(set) var isEmpty = true

  mutating func append(_ element: JSONValue) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    element.append(to: &bytes)
  }

  /// Returns the bytes that leave now; `nil` while they are few.
  mutating func takePart() -> [UInt8]? {
    guard bytes.count >= RESTElements.partByteCount else { return nil }
    defer { bytes = [] }
    return bytes
  }

  /// The bytes that have not left, up to the end of the array.
  var rest: [UInt8] { bytes + [UInt8(ascii: "]")] }
}
