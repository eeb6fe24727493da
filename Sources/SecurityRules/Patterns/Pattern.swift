import CRE2

/// A regular expression of RE2's language. A search takes time in proportion to the text.
final class Pattern: Sendable {
  /// The memory of a pattern and its automata, in bytes.
  private static let memoryLimit: Int64 = 1 << 20

  // RE2 locks for itself, and no function changes the pattern.
  nonisolated(unsafe) private let pattern: OpaquePointer
  /// The number of groups, without the one for the whole match.
  let groupCount: Int

  /// The work of a search for each byte of a text. RE2 falls back to a simulation of the pattern's
  /// states one by one where the automaton takes more memory than it may.
  let weight: Int

  /// Compiles `text`; `nil` if it is no pattern, or one that needs too much memory.
  init?(_ text: String) {
    var text = text
    let compiled = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        hearth_pattern_create($0.baseAddress, $0.count, Pattern.memoryLimit)
      }
    }
    guard let compiled else { return nil }
    pattern = compiled
    groupCount = Int(hearth_pattern_group_count(compiled))
    weight = 1 + Int(hearth_pattern_size(compiled)) / 4
  }

  deinit { hearth_pattern_destroy(pattern) }

  /// Whether the pattern matches all of `text`.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        hearth_pattern_find(pattern, $0.baseAddress, $0.count, 0, true, nil, 0)
      }
    }
  }

  /// Calls `body` with the spans of each match and its groups, in bytes of `text`, until it returns
  /// false. Matches don't overlap.
  func forEachMatch(
    in text: [UInt8], groups: Int = 0, _ body: ([Range<Int>?]) throws(RulesError) -> Void
  ) throws(RulesError) {
    var offset = 0
    var spans = [hearth_span](repeating: hearth_span(start: -1, end: -1), count: groups + 1)
    while offset <= text.count {
      let isFound = text.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          hearth_pattern_find(
            pattern, $0.baseAddress, $0.count, offset, false, &spans,
            Int32(spans.count))
        }
      }
      guard isFound else { return }
      let ranges = spans.map { $0.start < 0 ? nil : $0.start..<$0.end }
      guard let match = ranges[0] else { return }
      try body(ranges)
      offset = match.isEmpty ? text.characterEnd(after: match.upperBound) : match.upperBound
    }
  }
}

extension [UInt8] {
  /// The end of the UTF-8 character that begins at `offset`.
  fileprivate func characterEnd(after offset: Int) -> Int {
    var end = offset + 1
    while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
