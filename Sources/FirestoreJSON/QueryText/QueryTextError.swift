/// A mistake in a typed query, condition, order or value, with its place.
public struct QueryTextError: Error, Sendable, CustomStringConvertible {
  /// The whole text.
  public let text: String
  public let message: String
  /// The number of bytes of UTF-8 before the place.
  public let utf8Offset: Int

  init(_ message: String, at utf8Offset: Int, in text: String) {
    self.text = text
    self.message = message
    self.utf8Offset = utf8Offset
  }

  /// The number of characters before the place.
  public var characterOffset: Int { textBefore.count }

  private var textBefore: String {
    String(decoding: text.utf8.prefix(utf8Offset), as: UTF8.self)
  }

  /// The largest numbers of characters of a line that are shown before and after the place.
  private static let shownBefore = 60
  private static let shownAfter = 40

  /// The line of the text, or the part of it near the place, with a caret below the place and the
  /// message beside the caret:
  /// ```
  /// countryCode = "JP"
  ///             ^ write == for equality
  /// ```
  public var description: String {
    let linesBefore = textBefore.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let lineBefore = linesBefore.last ?? ""
    let isCut = lineBefore.count > QueryTextError.shownBefore
    let before = (isCut ? "…" : "") + lineBefore.suffix(QueryTextError.shownBefore)
    let textAfter = String(decoding: text.utf8.dropFirst(utf8Offset), as: UTF8.self)
    let lineAfter = textAfter.prefix { !$0.isNewline }
    let shown = lineAfter.prefix(QueryTextError.shownAfter)
    let rest = shown + (shown.endIndex == lineAfter.endIndex ? "" : "…")
    // A tab stays a tab, so that it has the same width on both lines.
    let indent = before.map { character in
      character == "\t" ? "\t" : String(repeating: " ", count: character.terminalWidth)
    }
    return "\(before)\(rest)\n\(indent.joined())^ \(message)"
  }
}

extension Character {
  /// The number of columns that the character takes on a terminal: two for East Asian wide
  /// characters and pictures, one for others.
  fileprivate var terminalWidth: Int {
    let isWide = unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        true
      default: false
      }
    }
    return isWide ? 2 : 1
  }
}
