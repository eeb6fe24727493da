extension Pattern {
  /// Returns the parts of `text` between matches. Empty parts at the end are left out, but one part
  /// stays.
  func split(_ text: String) throws(RulesError) -> [String] {
    let bytes = Array(text.utf8)
    var parts: [String] = []
    var start = 0
    try forEachMatch(in: bytes) { (ranges) throws(RulesError) in
      guard let match = ranges[0] else { return }
      parts.append(String(decoding: bytes[start..<match.lowerBound], as: UTF8.self))
      start = match.upperBound
    }
    parts.append(String(decoding: bytes[start...], as: UTF8.self))
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    return parts
  }

  /// Returns `text` with every match replaced. In `template`, `$1` stands for a group, and a
  /// backslash takes the special meaning from the character after it.
  ///
  /// - Parameter limit: the largest number of bytes in the result.
  func replacing(
    in text: String, with template: String, limit: Int
  ) throws(RulesError) -> String {
    let pieces = try pieces(of: template)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    try forEachMatch(in: bytes, groups: groupCount) { (ranges) throws(RulesError) in
      guard let match = ranges[0] else { return }
      result += bytes[start..<match.lowerBound]
      for piece in pieces {
        switch piece {
        case .text(let text): result += text
        case .group(let number): if let range = ranges[number] { result += bytes[range] }
        }
      }
      start = match.upperBound
      guard result.count <= limit else { throw .tooMuchData }
    }
    result += bytes[start...]
    guard result.count <= limit else { throw .tooMuchData }
    return String(decoding: result, as: UTF8.self)
  }

  private enum Piece {
    case text([UInt8])
    case group(Int)
  }

  private func pieces(of template: String) throws(RulesError) -> [Piece] {
    let bytes = Array(template.utf8)
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      if byte == UInt8(ascii: "\\"), let next {
        text.append(next)
        index += 2
      } else if byte == UInt8(ascii: "$"), let next, (0x30...0x39).contains(next) {
        let group = Int(next) - 0x30
        guard group <= groupCount else { throw .other("No group \(group).") }
        pieces += [.text(text), .group(group)]
        text = []
        index += 2
      } else {
        text.append(byte)
        index += 1
      }
    }
    return pieces + [.text(text)]
  }
}
