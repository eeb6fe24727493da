/// A reader of a file that is one JSON array of objects.
///
/// It looks only at strings and brackets, which is enough to find the end of an element. The parser
/// sees one element at a time and decides whether it is valid.
package struct JSONArrayReader: RecordReader {
  private enum Place { case beforeArray, atFirstElement, afterElement, afterArray }

  private var bytes: InputBytes
  private var place = Place.beforeArray
  /// Whether the last element's end was found.
  private var isAfterElement = false
  /// Number of elements begun so far.
  private var element = 0
  private var record: [UInt8] = []

  package init(_ bytes: InputBytes) {
    self.bytes = bytes
  }

  /// The present element is held in any case.
  package var keepsRecords: Bool {
    get { true }
    set {}
  }

  package var recordText: [UInt8] { record }

  package mutating func skipRefused() -> Bool { isAfterElement }

  package mutating func next() throws(InputError) -> InputRecord? {
    isAfterElement = false
    guard try findElement() else { return nil }
    element += 1
    let line = bytes.line
    try readElement(line: line)
    place = .afterElement
    isAfterElement = true
    return try InputRecord(
      json: record, in: bytes.source.name, line: line, element: element)
  }

  /// Moves to the first byte of the next element; `false` after the last.
  private mutating func findElement() throws(InputError) -> Bool {
    if place == .afterArray { return false }
    try bytes.skipBlanks()
    if place == .beforeArray {
      guard try bytes.next() == UInt8(ascii: "[") else {
        throw malformed(
          "there is no array", advice: "For one JSON object a line say --format ndjson")
      }
      place = .atFirstElement
      try bytes.skipBlanks()
    }
    switch (place, try bytes.peek()) {
    case (_, UInt8(ascii: "]")):
      _ = try bytes.next()
      try finish()
      return false
    case (.atFirstElement, .some): return true
    case (_, .comma):
      _ = try bytes.next()
      try bytes.skipBlanks()
      return true
    case (_, nil): throw malformed("the array is not closed", advice: InputError.cutAdvice)
    default: throw malformed("a comma or the array's end is missing after element \(element)")
    }
  }

  private mutating func finish() throws(InputError) {
    place = .afterArray
    try bytes.skipBlanks()
    guard try bytes.peek() == nil else {
      throw malformed(
        "there is more after the array's end", advice: "A file must hold one array only")
    }
  }

  /// Moves the bytes of one object into `record`.
  private mutating func readElement(line: Int) throws(InputError) {
    record.removeAll(keepingCapacity: true)
    guard try bytes.peek() == UInt8(ascii: "{") else {
      throw InputError(
        .malformed, in: bytes.source.name, line: line, element: element, "this is no object",
        advice: "Every element must be an object with a document's fields")
    }
    var depth = 0
    repeat {
      try bytes.append(to: &record) { !$0.isJSONStructure }
      switch try takeByte(line: line) {
      case .quote: try readRestOfString(line: line)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      default: depth -= 1
      }
    } while depth > 0
  }

  private mutating func readRestOfString(line: Int) throws(InputError) {
    while true {
      try bytes.append(to: &record) { $0 != .quote && $0 != .backslash }
      if try takeByte(line: line) == .quote { return }
      _ = try takeByte(line: line)
    }
  }

  private mutating func takeByte(line: Int) throws(InputError) -> UInt8 {
    guard let byte = try bytes.next() else {
      throw InputError(
        .malformed, in: bytes.source.name, line: line, element: element,
        "the file ends inside of this element", advice: InputError.cutAdvice)
    }
    record.append(byte)
    return byte
  }

  private func malformed(_ problem: String, advice: String? = nil) -> InputError {
    InputError(.malformed, in: bytes.source.name, line: bytes.line, problem, advice: advice)
  }
}

extension InputError {
  fileprivate static let cutAdvice = "The file may have been cut; fetch it again"
}

extension UInt8 {
  /// Whether the byte opens or closes an object, an array or a string.
  fileprivate var isJSONStructure: Bool {
    switch self {
    case .quote, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }
}
