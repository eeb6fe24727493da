/// A part of an answer: the length of a text in UTF-16 code units, a line feed, and the text.
enum ChannelPart {
  /// Returns the bytes of a part.
  ///
  /// - Parameter text: well-formed UTF-8.
  static func bytes(of text: [UInt8]) -> [UInt8] {
    Array("\(utf16Count(of: text))\n".utf8) + text
  }

  /// Number of code units that a text of UTF-8 has in UTF-16: one for each character, and two for
  /// those of four bytes.
  private static func utf16Count(of text: [UInt8]) -> Int {
    text.reduce(0) { count, byte in
      let isFollower = byte & 0xC0 == 0x80
      return isFollower ? count : count + (byte >= 0xF0 ? 2 : 1)
    }
  }
}
