extension String {
  /// Number of terminal columns that the text takes: two for East Asian wide characters and emoji,
  /// none for combining marks and control characters.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// Returns the text, cut with an ellipsis if it is wider than `width` columns.
  package func cut(toWidth width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 0 else { return "" }
    var used = 1
    let kept = prefix { character in
      used += character.displayWidth
      return used <= width
    }
    return kept + "…"
  }

  /// The text in one line. Control characters, which could move the cursor, become escapes.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { point in
      switch point {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: point.isControl ? "\\u{\(String(point.value, radix: 16))}" : String(point)
      }
    }.joined()
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    let spacing = unicodeScalars.dropFirst().count(where: \.isSpacing)
    return baseWidth + spacing
  }

  /// Width of the first scalar with the marks that are drawn over it.
  private var baseWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isControl { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return unicodeScalars.count == 1 ? 0 : 1
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xfe0f }
    return isEmoji || first.isWide ? 2 : 1
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }

  /// Whether the scalar takes a column of its own after the one that it belongs to: vowel signs of
  /// Indic scripts, and SARA AM of Thai and Lao.
  fileprivate var isSpacing: Bool {
    properties.generalCategory == .spacingMark || value == 0x0e33 || value == 0x0eb3
  }

  /// Whether the character belongs to a block of wide and full-width characters (Unicode Standard
  /// Annex 11), by the borders of the blocks.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1b000...0x1b2ff,
      0x20000...0x3fffd:
      true
    default: false
    }
  }
}
