import HearthDocumentModel

// Methods of strings and bytes.
extension Evaluator {
  mutating func apply(
    _ method: Method, to text: String, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    try handle(text.utf8.count)
    switch (method, arguments.count) {
    case (.size, 0): return .int(Int64(text.utf16.count))
    case (.lower, 0): return .string(text.mappingASCII { $0.lowercased })
    case (.upper, 0): return .string(text.mappingASCII { $0.uppercased })
    case (.trim, 0): return .string(text.trimmed)
    case (.toUtf8, 0): return .bytes(Array(text.utf8))
    case (.matches, 1):
      guard let pattern = try pattern(arguments[0]) else { return nil }
      return .bool(try matches(text, pattern))
    case (.split, 1):
      guard let pattern = try pattern(arguments[0]) else { return nil }
      try handle(text.utf8.count, times: pattern.weight)
      let parts = try pattern.split(text)
      try make(parts.count)
      return .list(RulesList(parts.map { .string($0) }))
    case (.replace, 2):
      guard let pattern = try pattern(arguments[0]), case .string(let template) = arguments[1]
      else { return nil }
      try handle(text.utf8.count, times: pattern.weight)
      let result = try pattern.replacing(in: text, with: template, limit: Self.textLimit)
      try handle(result.utf8.count)
      return .string(result)
    default: return nil
    }
  }

  /// The largest number of bytes in the result of a replacement.
  private static let textLimit = 16 << 20

  mutating func matches(_ text: String, _ pattern: Pattern) throws(RulesError) -> Bool {
    try handle(text.utf8.count, times: pattern.weight)
    return pattern.matches(text)
  }

  /// Compiles a pattern that is no constant; `nil` for a value that is no string.
  private mutating func pattern(_ value: RulesValue) throws(RulesError) -> Pattern? {
    guard case .string(let text) = value else { return nil }
    try handle(text.utf8.count + Self.patternCost, times: Self.patternCost)
    guard let pattern = Pattern(text) else { throw .pattern(text) }
    return pattern
  }

  /// The number of bytes of a text that are matched in the time to compile one of a pattern, and
  /// the number that each pattern counts more than its own.
  private static let patternCost = 250

  mutating func apply(
    _ method: Method, to bytes: [UInt8], _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    guard arguments.isEmpty else { return nil }
    try handle(bytes.count)
    switch method {
    case .size: return .int(Int64(bytes.count))
    case .toBase64:
      let text = Base64.text(of: bytes, .url)
      return .string(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    case .toHexString: return .string(bytes.hexadecimal)
    default: return nil
    }
  }
}

extension String {
  fileprivate func mappingASCII(_ transform: (UInt8) -> UInt8) -> String {
    String(decoding: utf8.map(transform), as: UTF8.self)
  }

  /// The text without blanks and control characters at its ends.
  fileprivate var trimmed: String {
    var bytes = Array(utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var uppercased: UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self
  }
}

extension [UInt8] {
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
