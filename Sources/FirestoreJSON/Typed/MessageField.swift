import DocumentModel

/// A field of a message by its two names in JSON, which mean the same.
struct MessageField: Sendable {
  /// Such as `stringValue`.
  let name: String
  /// Such as `string_value`: what errors call it.
  let snakeName: String
  /// Whether null is a value of the field rather than its absence.
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
