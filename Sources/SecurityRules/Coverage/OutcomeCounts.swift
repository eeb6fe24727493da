/// The outcomes of one expression, with their numbers.
public struct OutcomeCounts: Sendable {
  /// The number of times that the expression was true.
  public private(set) var trueCount = 0
  /// The number of times that it was false.
  public private(set) var falseCount = 0
  /// The number of errors, and of values that a query leaves open.
  public private(set) var errorCount = 0
  /// The number of values that are neither true nor false.
  public private(set) var otherCount = 0
  /// The first different ones of the latter, without the contents of lists and maps.
  private(set) var values: [(value: TracedValue, count: Int)] = []
  /// The first different errors.
  private(set) var errors: [(error: RulesError, count: Int)] = []

  /// The number of different values, and of different errors, that are told apart.
  private static let differentLimit = 20

  init() {}

  /// The number of all outcomes.
  var count: Int { trueCount + falseCount + errorCount + otherCount }

  mutating func add(_ outcome: Evaluator.Outcome) {
    switch outcome {
    case .success(.bool(true)): trueCount += 1
    case .success(.bool(false)): falseCount += 1
    case .success(let value):
      otherCount += 1
      let value = TracedValue(withoutContents: value)
      if let place = values.firstIndex(where: { $0.value == value }) {
        values[place].count += 1
      } else if values.count < OutcomeCounts.differentLimit {
        values.append((value, 1))
      }
    case .failure(let error):
      errorCount += 1
      if let place = errors.firstIndex(where: { $0.error == error }) {
        errors[place].count += 1
      } else if errors.count < OutcomeCounts.differentLimit {
        errors.append((error, 1))
      }
    }
  }
}

extension TracedValue {
  private static let longestText = 100

  /// Creates a value of bounded size.
  fileprivate init(withoutContents value: RulesValue) {
    switch value {
    case .list, .map: self = .other(type: value.type.rawValue)
    case .string(let text) where text.utf8.count > TracedValue.longestText:
      self = .string("\(text.prefix(TracedValue.longestText))…")
    default: self.init(value)
    }
  }
}
