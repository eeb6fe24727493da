import HearthDocumentModel

/// The outcome of one expression.
public struct TracedExpression: Sendable {
  /// The outcome: a value, or the text of an error.
  public enum Outcome: Sendable, Equatable {
    /// The value of the expression.
    case value(TracedValue)
    /// The text of the error; `nil` if a query leaves the value open.
    case error(String?)
  }

  /// The place of the expression.
  public let range: SourceRange
  /// Whether the text alone tells the value, as that of `'a'` or of a path's segment.
  public let isConstant: Bool
  /// The outcome.
  public let outcome: Outcome
}

/// A value of an expression, for reports.
public indirect enum TracedValue: Sendable, Equatable {
  /// Null.
  case null
  /// True or false.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A floating-point number.
  case float(Double)
  /// A text.
  case string(String)
  /// A point in time.
  case timestamp(seconds: Int64, nanoseconds: Int64)
  /// The segments of a path.
  case path([String])
  /// The elements of a list.
  case list([TracedValue])
  /// The keys and values of a map.
  case map([String: TracedValue])
  /// A value of another type, by the type's name.
  case other(type: String)
}

extension TracedExpression {
  init(_ id: ExpressionID, of program: Program, _ outcome: Evaluator.Outcome) {
    range = program.ranges[Int(id.index)]
    isConstant = program[id].isConstant
    self.outcome =
      switch outcome {
      case .success(let value): .value(TracedValue(value))
      case .failure(let error): .error(error.text)
      }
  }
}

extension TracedValue {
  /// The number of values in a list or map of which the contents are told.
  private static let weightLimit = 10_000

  init(_ value: RulesValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .float(let value): self = .float(value)
    case .string(let value): self = .string(value)
    case .timestamp(let time):
      self = .timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds)
    case .path(let path):
      self = .path(path.description.split(separator: "/").map(String.init))
    // Values inside of others may be there many times over.
    case .list(let list) where list.weight <= TracedValue.weightLimit:
      self = .list(list.elements.map(TracedValue.init))
    case .list, .map(.object), .bytes, .duration, .latlng, .set, .mapDiff, .vector, .constraint:
      self = .other(type: value.type.rawValue)
    case .map(let map) where map.weight > TracedValue.weightLimit:
      self = .other(type: value.type.rawValue)
    case .map(let map):
      let entries = (try? map.entries()) ?? []
      self = .map(
        Dictionary(entries.map { ($0.key, TracedValue($0.value)) }) { $1 })
    }
  }
}
