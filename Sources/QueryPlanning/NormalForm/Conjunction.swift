package import HearthDocumentModel

/// Conditions that must all hold at once, gathered by field (§4.3).
///
/// Conditions that exclude each other, or compare with null or NaN, leave their fields in place.
/// The choice of indexes is then the same as for any other values.
package struct Conjunction: Sendable {
  let form: Form
  let conditions: Conditions

  init(_ conditions: [Filter]) {
    self.conditions = Conditions(conditions)
    form = Form(self.conditions)
  }

  init(_ form: Form, _ conditions: Conditions) {
    self.form = form
    self.conditions = conditions
  }

  /// The fields that must equal one value, sorted: E of §5.1.
  package var equalFields: [FieldPath] {
    form.restrictions.filter { $0.kind == .equality }.map(\.field)
  }

  /// The array that must contain an element: C of §5.1.
  package var containingField: FieldPath? {
    form.restrictions.first { $0.kind == .contains }?.field
  }

  /// Returns the value that a field must equal; `nil` if it has no equality.
  package func value(of field: FieldPath) -> Value? {
    form.places(.equality, of: field).map { operand(at: $0[0]) }
  }

  /// Returns the values that all inequalities on a field allow; `nil` if it has none, or if they
  /// exclude each other.
  package func ranges(of field: FieldPath) -> [ValueRange]? {
    form.places(.inequality, of: field).flatMap { ranges(at: $0) }
  }

  /// Whether no document can meet all conditions.
  package var matchesNothing: Bool {
    isRefuted
      || form.restrictions.contains { $0.kind == .inequality && ranges(at: $0.places) == nil }
  }

  /// Whether a condition can't be met, or contradicts an equality. Inequalities may still exclude
  /// each other.
  var isRefuted: Bool {
    for place in 0..<conditions.count where conditions[place].matchesNothing { return true }
    return form.isContested && form.restrictions.contains { contradictsEquality($0) }
  }

  func operand(at place: Int) -> Value { conditions[place].operand }

  /// Returns the values that the inequalities at `places` allow; `nil` if they exclude each other.
  func ranges(at places: [Int]) -> [ValueRange]? {
    var ranges = conditions[places[0]].ranges
    for place in places.dropFirst() {
      ranges = ranges.intersection(conditions[place].ranges)
      if ranges.isEmpty { return nil }
    }
    return ranges
  }

  private func contradictsEquality(_ restriction: Form.Restriction) -> Bool {
    guard let value = value(of: restriction.field) else { return false }
    switch restriction.kind {
    case .contains: return false
    case .equality:
      return restriction.places.contains { operand(at: $0).compare(value) != .equal }
    case .inequality: return !(ranges(at: restriction.places)?.contains(value) ?? false)
    }
  }
}

extension Conjunction: Equatable {
  /// Whether the conjunctions allow the same values of the same fields.
  package static func == (left: Conjunction, right: Conjunction) -> Bool {
    guard left.form.restrictions.count == right.form.restrictions.count else { return false }
    for (own, other) in zip(left.form.restrictions, right.form.restrictions) {
      guard own.kind == other.kind, own.field == other.field else { return false }
      let isSame =
        own.kind == .inequality
        ? left.ranges(at: own.places) == right.ranges(at: other.places)
        : left.operand(at: own.places[0]) == right.operand(at: other.places[0])
      guard isSame else { return false }
    }
    return left.matchesNothing == right.matchesNothing
  }
}

extension Conjunction {
  /// The fields of a conjunction, with the places of their conditions in the request. It has no
  /// values: conjunctions of one form differ in operands, and in the signs of their inequalities.
  final class Form: Sendable {
    /// The conditions of one kind on one field.
    struct Restriction: Sendable, Equatable {
      enum Kind: Int, Sendable {
        /// The field equals one value. IS_NULL and IS_NAN are equalities.
        case equality
        /// The array contains one element.
        case contains
        /// The field lies in ranges. An equality of names is one of these, a range of one point.
        case inequality
      }

      let kind: Kind
      let field: FieldPath
      fileprivate(set) var places: [Int]
    }

    /// E of §5.1 sorted by field, then C, then the fields with inequalities, sorted.
    let restrictions: [Restriction]
    /// The places of the conditions on names.
    let namePlaces: [Int]
    /// Whether a field has an equality and more conditions, which may contradict it.
    let isContested: Bool

    init(_ conditions: Conditions) {
      var restrictions: [Restriction] = []
      for place in 0..<conditions.count {
        guard let field = conditions[place].field else { continue }
        let kind = conditions[place].kind
        if let index = restrictions.firstIndex(where: { $0.kind == kind && $0.field == field }) {
          restrictions[index].places.append(place)
        } else {
          restrictions.append(Restriction(kind: kind, field: field, places: [place]))
        }
      }
      restrictions.sort { ($0.kind.rawValue, $0.field) < ($1.kind.rawValue, $1.field) }
      self.restrictions = restrictions
      namePlaces = restrictions.first { $0.field.isDocumentID }?.places ?? []
      isContested = restrictions.contains { restriction in
        restriction.kind == .equality
          && (restriction.places.count > 1
            || restrictions.contains { $0.kind == .inequality && $0.field == restriction.field })
      }
    }

    /// Returns the places of a field's conditions of one kind; `nil` if there are none.
    func places(_ kind: Restriction.Kind, of field: FieldPath) -> [Int]? {
      restrictions.first { $0.kind == kind && $0.field == field }?.places
    }
  }
}

extension Filter {
  fileprivate var kind: Conjunction.Form.Restriction.Kind {
    switch self {
    case .field(_, .arrayContains, _): .contains
    case .field(let field, .equal, _): field.isDocumentID ? .inequality : .equality
    case .unary(_, .isNull), .unary(_, .isNaN): .equality
    case .field, .unary, .and, .or: .inequality
    }
  }
}
