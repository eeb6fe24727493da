/// One row of a CSV file (RFC 4180): its cells, without quotes, between commas or another byte.
///
/// Written here because the available packages read a whole file into one string.
struct CSVRow {
  /// The bytes of all cells, one after the other.
  private var bytes: [UInt8] = []
  /// End of each cell in `bytes`.
  private var ends: [Int] = []
  /// Number of the line on which the row begins.
  private(set) var line = 0
  private let separator: UInt8

  init(separator: UInt8) {
    self.separator = separator
  }

  var count: Int { ends.count }

  /// Whether the row's line is empty.
  var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

  subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns the cell's text.
  ///
  /// - Throws: `malformed` if it is not UTF-8.
  func text(at index: Int, in source: String) throws(InputError) -> String {
    guard let text = String(validating: self[index], as: UTF8.self) else {
      throw InputError(
        .malformed, in: source, line: line, "cell \(index + 1) is not UTF-8",
        advice: "Convert the file, for instance: iconv -f LATIN1 -t UTF-8")
    }
    return text
  }

  /// Reads the next row in place of this one; `false` at the end.
  mutating func read(from input: inout InputBytes) throws(InputError) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    line = input.line
    guard try input.peek() != nil else { return false }
    repeat {
      if try input.peek() == .quote {
        try readQuotedCell(from: &input)
      } else {
        try readPlainCell(from: &input)
      }
      ends.append(bytes.count)
    } while try input.next() == separator
    return true
  }

  /// Reads a cell without quotes, up to the separator or the newline after it.
  private mutating func readPlainCell(from input: inout InputBytes) throws(InputError) {
    let (start, separator) = (bytes.count, separator)
    try input.append(to: &bytes) { $0 != separator && $0 != .newline && $0 != .quote }
    let end = try input.peek()
    guard end != .quote else {
      throw malformed(
        "cell \(ends.count + 1) has a quote inside", in: input,
        advice: "Put the whole cell in quotes and write the quotes inside twice")
    }
    if end != separator, bytes.count > start, bytes.last == .carriageReturn { bytes.removeLast() }
  }

  private mutating func readQuotedCell(from input: inout InputBytes) throws(InputError) {
    _ = try input.next()
    while true {
      try input.append(to: &bytes) { $0 != .quote }
      guard try input.next() != nil else {
        throw malformed(
          "the quote that opens cell \(ends.count + 1) is never closed", in: input,
          advice: "Close it; quotes inside of a cell are written twice")
      }
      guard try input.peek() == .quote else { break }
      _ = try input.next()
      bytes.append(.quote)
    }
    if try input.peek() == .carriageReturn { _ = try input.next() }
    switch try input.peek() {
    case separator, .newline, nil: break
    default:
      throw malformed(
        "there is text after the closing quote of cell \(ends.count + 1)", in: input,
        advice: "Quotes inside of a cell are written twice")
    }
  }

  private func malformed(
    _ problem: String, in input: InputBytes, advice: String
  ) -> InputError {
    InputError(.malformed, in: input.source.name, line: line, problem, advice: advice)
  }
}
