import HearthDocumentModel

/// A field of a message with its two names in JSON, which are equivalent.
struct MessageField: Sendable {
  /// The name in camel case, such as `stringValue`.
  let name: String
  /// The name in snake case, such as `string_value`, which errors use.
  let snakeName: String
  /// Whether null is a value of the field, instead of its absence.
  let canBeNull: Bool

  init(_ name: String, canBeNull: Bool = false) {
    self.name = name
    self.canBeNull = canBeNull
    var snakeName: [UInt8] = []
    for byte in name.utf8 {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital { snakeName.append(UInt8(ascii: "_")) }
      snakeName.append(isCapital ? byte | 0x20 : byte)
    }
    self.snakeName = String(decoding: snakeName, as: UTF8.self)
  }

  func isWritten(_ text: String) -> Bool {
    text.utf8Equal(name) || text.utf8Equal(snakeName)
  }
}
