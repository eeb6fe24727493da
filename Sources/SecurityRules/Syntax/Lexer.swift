/// Splits a file of rules into tokens.
struct Lexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1
  private var offset = 0
  /// Whether a comment that begins here may have an end.
  private var mayEndComment = true

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Characters that are no part of the language, and that production passes over.
  private static let dropped: Set<String> = ["#", "&", "^", "|"]

  /// Returns all tokens, the end of the file last, and the first character that was passed over.
  static func tokens(of text: String) -> (tokens: [Token], dropped: Token?) {
    var lexer = Lexer(text)
    var tokens: [Token] = []
    var dropped: Token?
    while true {
      let token = lexer.next()
      if token.kind == .stray, Lexer.dropped.contains(token.text) {
        dropped = dropped ?? token
        continue
      }
      tokens.append(token)
      if token.kind == .end { return (tokens, dropped) }
    }
  }

  private var position: SourcePosition {
    SourcePosition(line: line, column: column, offset: offset)
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count {
      let scalar = scalars[index]
      index += 1
      offset += scalar.value >= 0x1_0000 ? 2 : 1
      if scalar == "\n" {
        (line, column) = (line + 1, 1)
      } else {
        column += 1
      }
    }
  }

  /// Advances over scalars for which `condition` is true, and returns them.
  private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let scalar = peek(), condition(scalar) { advance() }
    return text(from: start)
  }

  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<index])
    return String(text)
  }

  private mutating func next() -> Token {
    let before = index
    skipBlanksAndComments()
    let isAdjacent = before == index
    let (start, first) = (position, index)
    let kind = kind()
    return Token(
      kind: kind, text: text(from: first),
      range: SourceRange(start, endOffset: max(start.offset, offset - 1)), isAdjacent: isAdjacent)
  }

  private mutating func skipBlanksAndComments() {
    while let scalar = peek() {
      if scalar.properties.isWhitespace {
        advance()
      } else if scalar == "/", peek(1) == "/" {
        while let scalar = peek(), scalar != "\n" { advance() }
      } else if scalar == "/", peek(1) == "*", let length = commentLength() {
        advance(length)
      } else {
        return
      }
    }
  }

  /// The length of the comment that begins here; `nil` if it has no end.
  private mutating func commentLength() -> Int? {
    guard mayEndComment else { return nil }
    var end = index + 2
    while end + 1 < scalars.count {
      if scalars[end] == "*", scalars[end + 1] == "/" { return end + 2 - index }
      end += 1
    }
    // No later search would find one either.
    mayEndComment = false
    return nil
  }

  private mutating func kind() -> Token.Kind {
    guard let scalar = peek() else { return .end }
    if scalar == "b", peek(1) == "'" || peek(1) == "\"" { return bytes() }
    if scalar.isWordStart { return .word(take(while: \.isWordPart)) }
    if scalar.isDigit || scalar == ".", let number = number() { return number }
    if scalar == "'" || scalar == "\"" { return string() }
    if scalar == "/", let segment = segment() { return .segment(segment) }
    for length in [2, 1] where index + length <= scalars.count {
      var spelling = String.UnicodeScalarView()
      spelling.append(contentsOf: scalars[index..<(index + length)])
      if let symbol = Token.Symbol(rawValue: String(spelling)) {
        advance(length)
        return .symbol(symbol)
      }
    }
    advance()
    return .stray
  }

  private mutating func number() -> Token.Kind? {
    let start = index
    let isZero = peek() == "0"
    // A zero stands alone: the digits after it are another number.
    if isZero { advance() } else { _ = take(while: \.isDigit) }
    guard peek() == "." else { return .integer(text(from: start)) }
    if index == start {
      guard let digit = peek(1), digit.isDigit else { return nil }
    }
    advance()
    _ = take(while: \.isDigit)
    return Double("0" + text(from: start) + "0").map { .float($0) }
  }
}

extension Lexer {
  /// Reads a segment of a path after its slash; `nil` if none follows directly.
  private mutating func segment() -> String? {
    var end = index + 1
    var open = 0
    while end < scalars.count, scalars[end].isSegmentPart {
      if scalars[end] == "(" { open += 1 }
      if scalars[end] == ")" {
        guard open > 0 else { break }
        open -= 1
      }
      end += 1
    }
    guard end > index + 1 else { return nil }
    let start = index + 1
    advance(end - index)
    return text(from: start).percentDecoded
  }

  private mutating func string() -> Token.Kind {
    switch quoted() {
    case .closed(let parts): .string(String(decoding: parts.flatMap(\.units), as: UTF16.self))
    case .open: .openString
    }
  }

  private mutating func bytes() -> Token.Kind {
    let start = index
    advance()
    guard case .closed(let parts) = quoted() else { return .openString }
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let scalar): bytes += Array(String(Character(scalar)).utf8)
      case .byte(let byte): bytes.append(byte)
      case .unit: return .badBytes(text(from: start))
      }
    }
    return .bytes(bytes)
  }

  /// A character of a string, or an escape for a byte or a UTF-16 unit.
  private enum Part {
    case text(Unicode.Scalar)
    case byte(UInt8)
    case unit(UInt16)

    var units: [UInt16] {
      switch self {
      case .text(let scalar): Array(String(Character(scalar)).utf16)
      case .byte(let byte): [UInt16(byte)]
      case .unit(let unit): [unit]
      }
    }
  }

  private enum Quoted {
    case closed([Part])
    case open
  }

  /// Reads from a quote to its partner, or to the end of the line or an unknown escape.
  private mutating func quoted() -> Quoted {
    let quote = peek()
    advance()
    var parts: [Part] = []
    while let scalar = peek(), scalar != "\n", scalar != "\r" {
      if scalar == quote {
        advance()
        return .closed(parts)
      }
      if scalar == "\\" {
        guard let (part, length) = escape() else { return .open }
        parts.append(part)
        advance(length)
      } else {
        parts.append(.text(scalar))
        advance()
      }
    }
    return .open
  }

  /// Returns the meaning and the length of the escape that begins here.
  private func escape() -> (Part, Int)? {
    switch peek(1) {
    case "\\", "'", "\"": peek(1).map { (.text($0), 2) }
    case "n": (.text("\n"), 2)
    case "r": (.text("\r"), 2)
    case "t": (.text("\t"), 2)
    case "b": (.text("\u{8}"), 2)
    case "f": (.text("\u{C}"), 2)
    case "x": digits(2, from: 2, radix: 16).map { (.byte(UInt8(truncatingIfNeeded: $0)), 4) }
    case "u": digits(4, from: 2, radix: 16).map { (.unit(UInt16(truncatingIfNeeded: $0)), 6) }
    default:
      digits(3, from: 1, radix: 8).flatMap {
        $0 <= 0xFF ? (.byte(UInt8(truncatingIfNeeded: $0)), 4) : nil
      }
    }
  }

  private func digits(_ count: Int, from start: Int, radix: Int) -> Int? {
    var value = 0
    for distance in start..<(start + count) {
      guard let scalar = peek(distance), scalar.isASCII,
        let digit = Character(scalar).hexDigitValue, digit < radix
      else { return nil }
      value = value * radix + digit
    }
    return value
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isWordStart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || self == "$"
  }

  fileprivate var isWordPart: Bool { isWordStart || isDigit }

  fileprivate var isSegmentPart: Bool {
    switch self {
    case "_", "-", ".", "~", "(", ")", "*", ":", "@", "&", "+", "%", "'": true
    case "$": false
    default: isWordPart
    }
  }
}

extension String {
  /// The text with `%20` and the like replaced by their bytes.
  fileprivate var percentDecoded: String {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    let bytes = Array(utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
