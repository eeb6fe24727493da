package import HearthDocumentModel
package import HearthFirestoreJSON

/// Reads messages from the JSON of protocol buffers, by their definitions. Faults are told in
/// production's words, with their place, all of them at once (W§6.4).
package struct JSONMessageReader {
  /// Faults that are told. A body may have a million.
  private static let faultLimit = 100

  let schema: MessageSchema
  /// The place in the message: names in snake case, and items by their index.
  var place: [String] = []
  /// The faults so far.
  private var faults: [String] = []

  package init(_ schema: MessageSchema = .shared) {
    self.schema = schema
  }

  /// Returns a message's bytes.
  ///
  /// - Throws: `invalidArgument` for JSON that isn't of the type. Its message has a line for each
  ///   fault.
  package mutating func bytes(
    of json: JSONValue, as type: String
  ) throws(DatabaseError) -> [UInt8] {
    guard case .object = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
    (place, faults) = ([], [])
    let bytes = try message(json, type)
    guard faults.isEmpty else { throw .invalidArgument(faults.joined(separator: "\n")) }
    return bytes
  }

  /// Reads a part of a message. Its fault doesn't end the message.
  private mutating func noteFault(
    of read: (inout JSONMessageReader) throws(DatabaseError) -> Void
  ) {
    guard faults.count < JSONMessageReader.faultLimit else { return }
    do throws(DatabaseError) {
      try read(&self)
    } catch {
      faults.append(error.message)
    }
  }

  // MARK: Messages

  private mutating func message(
    _ json: JSONValue, _ type: String
  ) throws(DatabaseError) -> [UInt8] {
    if let bytes = try wellKnown(json, type) { return bytes }
    guard case .object(let members) = json, let definition = schema.message(type) else {
      throw invalid("type.googleapis.com/\(type)", json)
    }
    var bytes: [UInt8] = []
    var setOneofs: Set<String> = []
    for (name, value) in members {
      noteFault { reader throws(DatabaseError) in
        try reader.append(name, value, definition, &setOneofs, to: &bytes)
      }
    }
    return bytes
  }

  /// Appends a member of a message.
  private mutating func append(
    _ name: String, _ value: JSONValue, _ definition: MessageSchema.MessageType,
    _ setOneofs: inout Set<String>, to bytes: inout [UInt8]
  ) throws(DatabaseError) {
    guard let field = definition.field(name) else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\(name)\"\(location): Cannot find field.")
    }
    if case .null = value, !field.kind.canBeNull { return }
    if let oneof = field.oneof, !setOneofs.insert(oneof).inserted {
      throw .invalidArgument(
        "Invalid value\(location) (oneof), oneof field '\(oneof)' is already set. Cannot set "
          + "'\(field.jsonName)'")
    }
    try entering(place.isEmpty ? field.name : ".\(field.name)") {
      reader throws(DatabaseError) in
      try reader.append(value, field, to: &bytes)
    }
  }

  private mutating func append(
    _ json: JSONValue, _ field: MessageSchema.Field, to bytes: inout [UInt8]
  ) throws(DatabaseError) {
    guard field.isRepeated else {
      return bytes.appendField(field.number, try content(json, field))
    }
    if case .message(let type) = field.kind, let entry = schema.message(type), entry.isEntry {
      return try append(map: json, entry, field.number, to: &bytes)
    }
    guard case .array(let items) = json else { throw invalid(field.kind.name, json) }
    for (index, item) in items.enumerated() {
      noteFault { reader throws(DatabaseError) in
        let content = try reader.entering("[\(index)]") { reader throws(DatabaseError) in
          try reader.content(item, field)
        }
        bytes.appendField(field.number, content)
      }
    }
  }

  /// Appends a map, whose entries count as a list.
  private mutating func append(
    map json: JSONValue, _ entry: MessageSchema.MessageType, _ number: Int,
    to bytes: inout [UInt8]
  ) throws(DatabaseError) {
    guard case .object(let members) = json, entry.fields.count == 2 else {
      throw invalid(entry.fields.last?.kind.name ?? entry.name, json)
    }
    for (index, (name, value)) in members.enumerated() {
      noteFault { reader throws(DatabaseError) in
        let content = try reader.entering("[\(index)].value") { reader throws(DatabaseError) in
          try reader.content(value, entry.fields[1])
        }
        var bytesOfEntry: [UInt8] = []
        bytesOfEntry.appendField(1, .bytes(Array(name.utf8)[...]))
        bytesOfEntry.appendField(2, content)
        bytes.appendField(number, .bytes(bytesOfEntry[...]))
      }
    }
  }

  private mutating func content(
    _ json: JSONValue, _ field: MessageSchema.Field
  ) throws(DatabaseError) -> WireContent {
    switch field.kind {
    case .message(let type): return .bytes(try message(json, type)[...])
    case .enumeration(let type): return .varint(try enumeration(json, type))
    case .double: return .fixed64(try double(json).bitPattern)
    case .float: return .fixed32(Float(try double(json)).bitPattern)
    case .int32: return .varint(UInt64(bitPattern: Int64(try integer32(json))))
    case .int64: return .varint(UInt64(bitPattern: try integer(json, "TYPE_INT64")))
    case .uint32, .uint64: return .varint(UInt64(bitPattern: try integer(json, "TYPE_UINT64")))
    case .bool: return .varint(try boolean(json) ? 1 : 0)
    case .string: return .bytes(Array(try string(json).utf8)[...])
    case .bytes: return .bytes(try bytes(json)[...])
    }
  }

  // MARK: Messages with a form of their own

  /// Returns the bytes of a message that JSON writes in a form of its own; `nil` for any other.
  private mutating func wellKnown(
    _ json: JSONValue, _ type: String
  ) throws(DatabaseError) -> [UInt8]? {
    switch type {
    case "google.protobuf.Timestamp": return try timestamp(json)
    case "google.protobuf.Duration": return try duration(json)
    case "google.protobuf.Int32Value": return try wrapped(json, .int32)
    case "google.protobuf.Int64Value": return try wrapped(json, .int64)
    case "google.protobuf.DoubleValue": return try wrapped(json, .double)
    case "google.protobuf.FieldMask": return try fieldMask(json)
    case "google.protobuf.Empty": return []
    default: return nil
    }
  }

  /// Reads a number that has a message of its own: bare, or as that message, as old clients do.
  private mutating func wrapped(
    _ json: JSONValue, _ kind: MessageSchema.Field.Kind
  ) throws(DatabaseError) -> [UInt8] {
    let value = MessageSchema.Field(
      name: "value", jsonName: "value", number: 1, kind: kind, isRepeated: false, oneof: nil)
    var bare = json
    if case .object(let members) = json {
      guard let member = members.first(where: { $0.0 == "value" }) else { return [] }
      bare = member.1
    }
    var bytes: [UInt8] = []
    let content = try entering(".value") { reader throws(DatabaseError) in
      try reader.content(bare, value)
    }
    bytes.appendField(1, content)
    return bytes
  }

  private func timestamp(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    let type = "type.googleapis.com/google.protobuf.Timestamp"
    guard case .string(let text) = json else { throw invalid(type, json) }
    let time: Timestamp
    do throws(DatabaseError) {
      time = try Timestamp(rfc3339: text)
    } catch {
      throw invalid(type, json, because: "Field '\(fieldName)', \(error.message)")
    }
    // Digits below a microsecond only have to be known to be there.
    let nanoseconds = time.nanoseconds + (text.hasDigitsBelowMicroseconds ? 1 : 0)
    var bytes: [UInt8] = []
    bytes.appendField(1, .varint(UInt64(bitPattern: time.seconds)))
    bytes.appendField(2, .varint(UInt64(nanoseconds)))
    return bytes
  }

  private func fieldMask(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    guard case .string(let text) = json else {
      throw invalid("type.googleapis.com/google.protobuf.FieldMask", json)
    }
    var bytes: [UInt8] = []
    for path in text.split(separator: ",") {
      bytes.appendField(1, .bytes(Array(path.snakeCased.utf8)[...]))
    }
    return bytes
  }

  // MARK: Places

  private mutating func entering<T>(
    _ step: String, _ body: (inout JSONMessageReader) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    place.append(step)
    defer { place.removeLast() }
    return try body(&self)
  }

  private var location: String { place.isEmpty ? "" : " at '\(place.joined())'" }

  /// The name of the field at the place, as JSON writes it.
  private var fieldName: String {
    var name = place.last { !$0.hasPrefix("[") }.map { $0.drop { $0 == "." } } ?? ""
    var camelCased = ""
    while let underscore = name.firstIndex(of: "_") {
      camelCased += name[..<underscore]
      name = name[name.index(after: underscore)...]
      if let first = name.popFirst() { camelCased += first.uppercased() }
    }
    return camelCased + name
  }

  func invalid(
    _ type: String, _ json: JSONValue, because reason: String? = nil
  ) -> DatabaseError {
    .invalidArgument("Invalid value\(location) (\(type)), \(reason ?? json.shownInFaults)")
  }
}

extension MessageSchema.Field.Kind {
  /// The name of the type in faults.
  fileprivate var name: String {
    switch self {
    case .double: "TYPE_DOUBLE"
    case .float: "TYPE_FLOAT"
    case .int32: "TYPE_INT32"
    case .int64: "TYPE_INT64"
    case .uint32: "TYPE_UINT32"
    case .uint64: "TYPE_UINT64"
    case .bool: "TYPE_BOOL"
    case .string: "TYPE_STRING"
    case .bytes: "TYPE_BYTES"
    case .enumeration(let name), .message(let name): "type.googleapis.com/\(name)"
    }
  }

  /// Whether null is a value, and not the absence of one.
  fileprivate var canBeNull: Bool {
    if case .enumeration("google.protobuf.NullValue") = self { true } else { false }
  }
}

extension String {
  /// Whether a time's fraction has digits other than zero after the sixth.
  fileprivate var hasDigitsBelowMicroseconds: Bool {
    let fraction = utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    let digits = fraction.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.dropFirst(6).contains { $0 != UInt8(ascii: "0") }
  }
}

extension Substring {
  fileprivate var snakeCased: String {
    reduce(into: "") { text, letter in
      if letter.isUppercase, letter.isASCII {
        text += "_" + letter.lowercased()
      } else {
        text.append(letter)
      }
    }
  }
}
