import HearthDocumentModel

/// Reads protocol buffers' JSON. Its refusals have production's words (§6.1).
///
/// An error that it throws ends the whole reading, and leaves `path` at the place of the error.
struct MessageReader {
  var path: MessagePath
  /// The first refusal of a part that is well-formed but invalid. Any error of the message's form
  /// comes first, regardless of its place (§6.1).
  private(set) var refusal: DatabaseError?

  init(at root: String = "") {
    path = MessagePath(root)
  }

  /// Reads the body of a request.
  static func read<T>(
    _ bytes: [UInt8], at root: String = "",
    _ read: (inout MessageReader, JSONValue) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try self.read(try ProtocolText.json(bytes), at: root, read)
  }

  /// Reads one whole message.
  static func read<T>(
    _ json: JSONValue, at root: String = "",
    _ read: (inout MessageReader, JSONValue) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    var reader = MessageReader(at: root)
    let value = try read(&reader, json)
    if let refusal = reader.refusal { throw refusal }
    return value
  }

  /// Checks that the body of a request is a message.
  func expectMessage(_ json: JSONValue) throws(DatabaseError) {
    guard case .object = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
  }

  mutating func refuse(_ message: String) {
    if refusal == nil { refusal = .invalidArgument(message) }
  }

  /// Returns the meaning of a well-formed part. If that is refused, it records the refusal and
  /// returns `placeholder`, so that the rest of the text can be checked first.
  mutating func meaning<T>(
    or placeholder: T, _ make: () throws(DatabaseError) -> T
  ) -> T {
    do {
      return try make()
    } catch {
      if refusal == nil { refusal = error }
      return placeholder
    }
  }

  /// Reads the members of a message in the order of the text.
  mutating func message(
    _ json: JSONValue, _ type: MessageType,
    _ read: (inout MessageReader, _ field: String, JSONValue) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let members = try members(json, of: type.name, type.fields)
    for oneof in type.oneofs {
      let set = members.filter { member in
        oneof.members.contains { $0.utf8Equal(member.field.name) }
      }
      if set.count > 1 { throw invalid(oneof: oneof.name, second: set[1].field.name) }
    }
    for (field, value) in members {
      try reading(field) { reader throws(DatabaseError) in
        try read(&reader, field.name, value)
      }
    }
  }

  /// Reads the items of a repeated field.
  mutating func list<T>(
    _ json: JSONValue, of type: String,
    _ read: (inout MessageReader, JSONValue) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> [T] {
    guard case .array(let items) = json else { throw invalid(type, json) }
    var list: [T] = []
    list.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      list.append(
        try reading(item: index) { reader throws(DatabaseError) in try read(&reader, item) })
    }
    return list
  }

  /// Reads a number that has a message of its own. It may be written bare, or as that message, as
  /// old clients do. Errors name the message's field in both forms.
  mutating func wrapped<Number: Numeric>(
    _ json: JSONValue, _ type: MessageType,
    _ read: (MessageReader, JSONValue) throws(DatabaseError) -> Number
  ) throws(DatabaseError) -> Number {
    guard case .object = json else {
      return try reading(MessageField("value")) { reader throws(DatabaseError) in
        try read(reader, json)
      }
    }
    var number: Number = 0
    try message(json, type) { reader, _, value throws(DatabaseError) in
      number = try read(reader, value)
    }
    return number
  }

  /// Returns the members of a message in the order of the text. Members that are null count as
  /// absent and are left out.
  func members(
    _ json: JSONValue, of type: String, _ fields: [MessageField]
  ) throws(DatabaseError) -> [(field: MessageField, value: JSONValue)] {
    guard case .object(let members) = json else { throw invalid(type, json) }
    var known: [(field: MessageField, value: JSONValue)] = []
    known.reserveCapacity(members.count)
    for (name, value) in members {
      guard let field = fields.first(where: { $0.isWritten(name) }) else {
        throw .invalidArgument(
          "Invalid JSON payload received. Unknown name \"\(name)\"\(path.location): "
            + "Cannot find field.")
      }
      if case .null = value, !field.canBeNull { continue }
      known.append((field, value))
    }
    return known
  }

  /// Reads a field of the message, so that errors name it.
  mutating func reading<T>(
    _ field: MessageField, _ read: (inout MessageReader) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    path.enter(field: field.snakeName)
    let value = try read(&self)
    path.leave()
    return value
  }

  /// Reads an item of a list, so that errors name it.
  mutating func reading<T>(
    item index: Int, _ read: (inout MessageReader) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    path.enter(item: index)
    let value = try read(&self)
    path.leave()
    return value
  }

  func invalid(_ type: String, _ json: JSONValue, because reason: String? = nil) -> DatabaseError {
    .invalidArgument("Invalid value\(path.location) (\(type)), \(reason ?? json.shownInError)")
  }

  func invalid(oneof group: String, second name: String) -> DatabaseError {
    .invalidArgument(
      "Invalid value\(path.location) (oneof), oneof field '\(group)' is already set. "
        + "Cannot set '\(name)'")
  }
}

extension MessageReader {
  /// Reads a Boolean, which may also be one of the texts `true` and `false`.
  func boolean(_ json: JSONValue) throws(DatabaseError) -> Bool {
    switch json {
    case .boolean(let value): return value
    case .string(let text) where text.utf8Equal("true"): return true
    case .string(let text) where text.utf8Equal("false"): return false
    default: throw invalid("TYPE_BOOL", json)
    }
  }

  /// - Parameter type: the type's name in errors.
  func string(_ json: JSONValue, type: String = "TYPE_STRING") throws(DatabaseError) -> String {
    guard case .string(let value) = json else { throw invalid(type, json) }
    return value
  }

  /// Reads a whole number in any form: `1000`, `1e3` or `1000.0`, also as a string.
  func integer(_ json: JSONValue) throws(DatabaseError) -> Int64 {
    guard let value = wholeNumber(json) else { throw invalid("TYPE_INT64", json) }
    return value
  }

  /// Reads a whole number of 32 bits in any form that ``integer(_:)`` reads.
  ///
  /// - Parameter type: the type's name in errors.
  func integer32(
    _ json: JSONValue, type: String = "TYPE_INT32"
  ) throws(DatabaseError) -> Int {
    guard let value = wholeNumber(json).flatMap(Int32.init(exactly:)) else {
      throw invalid(type, json)
    }
    return Int(value)
  }

  private func wholeNumber(_ json: JSONValue) -> Int64? {
    switch numberWritten(in: json) {
    case .integer(let value): return value
    case .double(let value):
      // A text has all its digits, including those that a double can't hold.
      guard case .string(let text) = json else { return Int64(exactly: value) }
      return Int64(wholeDecimal: text)
    default: return nil
    }
  }

  /// Reads an enum's value, and returns its number. It is given by its name in letters of any case,
  /// or by its number, which may be unknown.
  func enumeration(_ json: JSONValue, _ type: EnumType) throws(DatabaseError) -> Int {
    switch json {
    case .string(let text):
      let name = text.utf8.map { (97...122).contains($0) ? $0 & 0xDF : $0 }
      if let number = type.values.firstIndex(where: { $0.utf8.elementsEqual(name) }) {
        return number
      }
      throw invalid(type.name, json)
    case .integer, .double: return try integer32(json, type: type.name)
    default: throw invalid(type.name, json)
    }
  }

  /// Reads a number, which may also be a string, or the name of NaN or an infinity.
  func double(_ json: JSONValue) throws(DatabaseError) -> Double {
    if case .string(let text) = json {
      for value in [Double.nan, .infinity, -.infinity] {
        if let name = value.nonFiniteName, text.utf8Equal(name) { return value }
      }
    }
    switch numberWritten(in: json) {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    default: throw invalid("TYPE_DOUBLE", json)
    }
  }

  private func numberWritten(in json: JSONValue) -> JSONValue {
    guard case .string(let text) = json else { return json }
    let bytes = Array(text.utf8)
    // JSON allows white space around a number, but it is no part of a number.
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else {
      return json
    }
    return (try? JSONValue(parsing: bytes)) ?? json
  }

  func bytes(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    let text = try string(json, type: "TYPE_BYTES")
    guard let bytes = Base64.bytes(text) else {
      throw invalid("TYPE_BYTES", json, because: "Base64 decoding failed for \"\(text)\"")
    }
    return bytes
  }

  func timestamp(_ json: JSONValue, field: String) throws(DatabaseError) -> Timestamp {
    let type = "type.googleapis.com/google.protobuf.Timestamp"
    let text = try string(json, type: type)
    do {
      return try Timestamp(rfc3339: text)
    } catch {
      throw invalid(type, json, because: "Field '\(field)', \(error.message)")
    }
  }
}

extension Int64 {
  /// Creates the number of a decimal text of JSON's grammar; `nil` if it is not whole or 64 bits
  /// don't hold it.
  package init?(wholeDecimal text: String) {
    let parts = text.lowercased().split(separator: "e")
    guard let mantissa = parts.first else { return nil }
    let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    var digits = String(halves[0] + fraction)
    guard digits.utf8.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) })
    else {
      self = 0
      return
    }
    guard let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
    // The number of zeros to append to the digits. If it is negative, digits remain after the
    // point.
    var (zeros, overflow) = exponent.subtractingReportingOverflow(fraction.utf8.count)
    while !overflow, zeros < 0, digits.last == "0" {
      digits.removeLast()
      zeros += 1
    }
    // At most 19 digits fit.
    guard !overflow, (0...19).contains(zeros) else { return nil }
    self.init(digits + String(repeating: "0", count: zeros))
  }
}

extension JSONValue {
  /// The value in the form of the errors of §6.1.
  fileprivate var shownInError: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value.description
    case .double(let value): value.description
    case .string(let value): "\"\(value)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
