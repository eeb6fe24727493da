/// Writes the members of one object, with the commas between them.
struct JSONMembers {
  fileprivate var bytes: [UInt8] = []
  private var isEmpty = true

  fileprivate init() {}

  mutating func member(_ name: String, _ appendValue: (inout [UInt8]) -> Void) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    bytes.appendJSON(name)
    bytes.append(UInt8(ascii: ":"))
    appendValue(&bytes)
  }
}

extension [UInt8] {
  /// Appends an object of the members that `write` adds.
  mutating func appendMembers(_ write: (inout JSONMembers) -> Void) {
    append(UInt8(ascii: "{"))
    // The bytes are moved there and back, so that they are never copied.
    var members = JSONMembers()
    swap(&members.bytes, &self)
    write(&members)
    swap(&members.bytes, &self)
    append(UInt8(ascii: "}"))
  }

  /// Appends an array.
  mutating func appendArray<Item>(
    _ items: some Sequence<Item>, _ appendItem: (inout [UInt8], Item) -> Void
  ) {
    append(UInt8(ascii: "["))
    appendList(items, appendItem)
    append(UInt8(ascii: "]"))
  }
}
