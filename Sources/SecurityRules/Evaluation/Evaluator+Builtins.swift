import HearthDocumentModel

// Functions that are no methods.
extension Evaluator {
  mutating func apply(
    _ builtin: Builtin, _ range: OperandRange
  ) throws(RulesError) -> RulesValue {
    let arguments = try values(of: range)
    if builtin == .debug, let first = arguments.first { return first }
    guard arguments.count == builtin.argumentCount, let value = try apply(builtin, arguments)
    else { throw Self.mismatch(builtin.overloads, builtin.rawValue, arguments) }
    return value
  }

  /// Returns the value of a function; `nil` if none of its forms fits.
  private mutating func apply(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch builtin {
    case .get, .exists, .getAfter, .existsAfter: return try read(builtin, arguments[0])
    case .int, .float, .string, .path: return try Conversions.apply(builtin, arguments[0])
    case .debug: return nil
    case .mathAbs, .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathPow, .mathIsNaN,
      .mathIsInfinity, .mathIsInfinite:
      return Mathematics.apply(builtin, arguments)
    case .md5, .sha256, .crc32, .crc32c: return try hash(builtin, arguments[0])
    case .durationValue, .durationTime, .durationAbs:
      return try RulesDuration.apply(builtin, arguments)
    case .timestampDate, .timestampValue: return try RulesTimestamp.apply(builtin, arguments)
    case .latlngValue: return try GeoPoint.make(arguments)
    }
  }

  private mutating func hash(
    _ builtin: Builtin, _ argument: RulesValue
  ) throws(RulesError) -> RulesValue? {
    let bytes: [UInt8]
    switch argument {
    case .bytes(let value): bytes = value
    case .string(let text): bytes = Array(text.utf8)
    default: return nil
    }
    try handle(bytes.count)
    switch builtin {
    case .md5: return .bytes(Hashing.md5(bytes))
    case .sha256: return .bytes(Hashing.sha256(bytes))
    case .crc32: return .bytes(Hashing.crc32(bytes, polynomial: 0xEDB8_8320))
    case .crc32c: return .bytes(Hashing.crc32(bytes, polynomial: 0x82F6_3B78))
    default: return nil
    }
  }

  // MARK: Documents

  private func read(
    _ builtin: Builtin, _ argument: RulesValue
  ) throws(RulesError) -> RulesValue? {
    guard case .path(let path) = argument else { return nil }
    guard let document = path.document(in: database) else {
      throw .serviceCall(builtin, path)
    }
    let fields: MapValue?
    do throws(DocumentReadError) {
      fields = try reads.fields(
        at: document, isAfter: builtin == .getAfter || builtin == .existsAfter)
    } catch .limit {
      throw .serviceCall(builtin, path)
    } catch {
      throw .unreadable
    }
    if builtin == .exists || builtin == .existsAfter { return .bool(fields != nil) }
    guard let fields else { throw .serviceCall(builtin, path) }
    return .map(.object(DocumentView(document, in: database, data: .stored(fields))))
  }
}

extension RulesError {
  /// The failure of reading a document, with its path as production writes it.
  fileprivate static func serviceCall(_ builtin: Builtin, _ path: RulesPath) -> RulesError {
    var text = "path_value {\n"
    for segment in path.segments {
      let name =
        switch segment {
        case .text(let text): "simple: \"\(text)\""
        case .variable(let name): "capture {\n      variable_name: \"\(name)\"\n    }"
        case .glob(let name): "glob_capture {\n      variable_name: \"\(name)\"\n    }"
        }
      text += "  segments {\n    \(name)\n  }\n"
    }
    return .other(
      "Service call error. Function: [\(builtin.rawValue)], Argument: [\(text)}\n].")
  }
}
