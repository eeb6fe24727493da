/// The reason an expression has no value, in production's words.
///
/// It is an outcome like any other: `error || true` is true.
indirect enum RulesError: Error, Sendable, Equatable {
  case nullValue
  case undefinedProperty(String)
  case unknownFunction(String)
  /// A value of a type that the expression can't use.
  case type(RulesType, expected: String)
  /// Operands or arguments of types for which an operation isn't defined.
  case unsupported(received: String, expected: String)
  case argumentCount(Int, expected: String)
  case outOfBounds(Int64, size: Int)
  case badRange(from: Int64, to: Int64)
  case divisionByZero
  case overflow
  case pattern(String)
  case conversion(String, from: RulesType, to: RulesType)
  /// A failure of another kind, with its text.
  case other(String)
  /// The documents that a query may return can differ here.
  case unknown
  /// The operation has taken more steps than it may. Nothing makes up for it.
  case tooManyExpressions
  /// The operation has handled more data than it may. Nothing makes up for it.
  case tooMuchData
  /// A document could not be read. The error itself lies with the reads of the request.
  case unreadable
}

extension RulesError {
  /// Whether the error ends the judgement, even beside a true alternative.
  var isFinal: Bool {
    switch self {
    case .tooManyExpressions, .tooMuchData, .unreadable: true
    default: false
    }
  }

  /// The text of the error; `nil` if production gives only its place.
  var text: String? {
    switch self {
    case .nullValue: "Null value error."
    case .undefinedProperty(let name): "Property \(name) is undefined on object."
    case .unknownFunction(let name): "Function not found error: Name: [\(name)]."
    case .type(let type, let expected):
      "Type error. Received: [\(type.rawValue)] Expected: [\(expected)]."
    case .unsupported(let received, let expected):
      "Unsupported operation error. Received: \(received). Expected: \(expected)."
    case .argumentCount(let count, let expected):
      "Incorrect number of arguments. Received: \(count). Expected: \(expected)."
    case .outOfBounds(let index, let size):
      "Index out of bound error. Index: [\(index)] , size: [\(size)]."
    case .badRange(let from, let to):
      "Illegal range error. From index: [\(from)] , To index: [\(to)]."
    case .divisionByZero: "Divide by zero error."
    case .overflow:
      "Integer value is out of the [-9223372036854775808, 9223372036854775807] range."
    case .pattern(let pattern): "Invalid regular expression pattern. Pattern: \(pattern)."
    case .conversion(let text, let from, let to):
      "Type conversion error. Argument: [\(text)], From type: [\(from.rawValue)], "
        + "To type: [\(to.rawValue)]."
    case .other(let text): text
    case .tooManyExpressions:
      "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been "
        + "reached."
    case .tooMuchData:
      "Unable to evaluate the expression as it handles too much data."
    case .unknown, .unreadable: nil
    }
  }
}
