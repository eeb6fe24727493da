import HearthDocumentModel
import HearthQueryPlanning

// Filters of every shape. Many combinations are invalid; the caller tries again.
extension QueryGenerator {
  func filter(using random: inout some RandomNumberGenerator) -> Filter? {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...6: return conjunction(using: &random)
    case 7, 8: return .or(alternatives(using: &random))
    case 9:
      return .and([.or(alternatives(using: &random)), conjunction(using: &random) ?? .and([])])
    default: return tree(depth: 3, using: &random)
    }
  }

  /// Returns a few conditions that must all hold, in one of the ways to write that.
  private func conjunction(using random: inout some RandomNumberGenerator) -> Filter? {
    var filters: [Filter] = []
    // Few conditions share a field: most that do exclude each other.
    var fields = QueryGenerator.paths.shuffled(using: &random)
    func nextField() -> FieldPath {
      random.oneIn(10) ? random.pick(QueryGenerator.paths) : fields.popLast() ?? QueryGenerator.tags
    }
    for _ in 0..<random.pick([0, 0, 1, 1, 1, 2, 2, 3]) {
      filters.append(equality(on: nextField(), using: &random))
    }
    for _ in 0..<random.pick([0, 0, 0, 1, 1, 2]) {
      filters.append(range(on: nextField(), using: &random))
    }
    if random.oneIn(6) { filters.append(negation(on: nextField(), using: &random)) }
    if random.oneIn(5) { filters.append(containing(using: &random)) }
    if random.oneIn(10) { filters.append(nameCondition(using: &random)) }
    filters.shuffle(using: &random)
    guard let first = filters.first else { return random.oneIn(10) ? .and([]) : nil }
    if filters.count == 1, random.oneIn(2) { return first }
    return .and(
      random.oneIn(3) ? [.and(Array(filters.prefix(2)))] + filters.dropFirst(2) : filters)
  }

  /// Returns two or three alternatives with up to two conditions each.
  private func alternatives(using random: inout some RandomNumberGenerator) -> [Filter] {
    (0..<random.pick([1, 2, 2, 3])).map { _ in
      let first = condition(using: &random)
      return random.oneIn(2) ? first : .and([first, condition(using: &random)])
    }
  }

  /// Returns any nesting of and, or and conditions.
  private func tree(depth: Int, using random: inout some RandomNumberGenerator) -> Filter {
    if depth == 0 || random.oneIn(3) { return condition(using: &random) }
    let parts = (0..<random.pick([1, 2, 2, 3])).map { _ in
      tree(depth: depth - 1, using: &random)
    }
    return random.oneIn(2) ? .and(parts) : .or(parts)
  }

  private func condition(using random: inout some RandomNumberGenerator) -> Filter {
    let field = random.pick(QueryGenerator.paths)
    switch Int.random(in: 0..<16, using: &random) {
    case 0...8: return equality(on: field, using: &random)
    case 9...11: return range(on: field, using: &random)
    case 12: return negation(on: field, using: &random)
    case 13, 14: return containing(using: &random)
    default: return nameCondition(using: &random)
    }
  }

  /// Returns a condition on one value or on one of several, null and NaN among them.
  func equality(
    on field: FieldPath, using random: inout some RandomNumberGenerator
  ) -> Filter {
    if random.oneIn(15) { return .unary(field, random.pick([.isNull, .isNaN])) }
    if random.oneIn(7) { return .field(field, .in, operands(upTo: 4, using: &random)) }
    return .field(field, .equal, operand(using: &random))
  }

  func range(
    on field: FieldPath, using random: inout some RandomNumberGenerator
  ) -> Filter {
    let isLower = random.oneIn(2)
    let comparison: Filter.Comparison =
      random.oneIn(2)
      ? (isLower ? .greaterThan : .lessThan) : (isLower ? .greaterThanOrEqual : .lessThanOrEqual)
    let value: Value =
      random.oneIn(8) ? value(using: &random) : isLower ? .integer(1) : .integer(3)
    return .field(field, comparison, value)
  }

  private func negation(
    on field: FieldPath, using random: inout some RandomNumberGenerator
  ) -> Filter {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .unary(field, random.pick([.isNotNull, .isNotNaN]))
    case 1: .field(field, .notIn, operands(upTo: 3, using: &random))
    default: .field(field, .notEqual, random.oneIn(3) ? value(using: &random) : .integer(2))
    }
  }

  private func containing(using random: inout some RandomNumberGenerator) -> Filter {
    random.oneIn(3)
      ? .field(QueryGenerator.tags, .arrayContainsAny, operands(upTo: 3, using: &random))
      : .field(QueryGenerator.tags, .arrayContains, operand(using: &random))
  }

  func nameCondition(using random: inout some RandomNumberGenerator) -> Filter {
    let comparison = random.pick([
      Filter.Comparison.equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      .notEqual, .in, .notIn,
    ])
    guard comparison.takesList else {
      return .field(.documentID, comparison, name(using: &random))
    }
    let count = Int.random(in: 1...4, using: &random)
    return .field(
      .documentID, comparison, .array((0..<count).map { _ in name(using: &random) }))
  }

  private func operand(using random: inout some RandomNumberGenerator) -> Value {
    random.oneIn(15) ? value(using: &random) : common(using: &random)
  }

  private func operands(
    upTo count: Int, using random: inout some RandomNumberGenerator
  ) -> Value {
    let count = Int.random(in: 1...count, using: &random)
    return .array(
      (0..<count).map { _ in
        random.oneIn(6) ? value(using: &random) : common(using: &random)
      })
  }
}
