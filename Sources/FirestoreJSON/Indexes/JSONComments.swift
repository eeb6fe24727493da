extension [UInt8] {
  /// The JSON with spaces in place of its comments, so that all offsets stay the same. Comments are
  /// `//` to the end of the line, and `/* */`. The index files that the Firebase tool creates begin
  /// with some.
  var withoutJSONComments: [UInt8] {
    let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
    var bytes = self
    var isInString = false
    var offset = 0
    while offset < count {
      let start = offset
      offset += 1
      switch (self[start], offset < count ? self[offset] : 0) {
      case (UInt8(ascii: "\""), _): isInString.toggle()
      case (UInt8(ascii: "\\"), _) where isInString: offset += 1
      case (slash, slash) where !isInString:
        offset = self[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? count
        bytes.blank(start..<offset)
      case (slash, star) where !isInString:
        // A comment without an end stays, so that the JSON reader reports it.
        let end = indices.dropFirst(start + 2).first {
          self[$0] == star && $0 + 1 < count && self[$0 + 1] == slash
        }
        guard let end else { return bytes }
        offset = end + 2
        bytes.blank(start..<offset)
      default: break
      }
    }
    return bytes
  }

  /// Replaces the range with spaces. Line ends stay.
  private mutating func blank(_ range: Range<Int>) {
    for offset in range where self[offset] != 0x0A && self[offset] != 0x0D {
      self[offset] = UInt8(ascii: " ")
    }
  }
}
