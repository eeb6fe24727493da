import HearthDocumentModel
import HearthQueryPlanning

extension MessageType {
  fileprivate static let filter = MessageType(
    "StructuredQuery.Filter", FilterMessage.kinds,
    oneofs: [Oneof(name: "filter_type", members: FilterMessage.kinds)])
  fileprivate static let composite = MessageType(
    "StructuredQuery.CompositeFilter", ["op", "filters"])
  fileprivate static let field = MessageType(
    "StructuredQuery.FieldFilter", ["field", "op", "value"])
  fileprivate static let unary = MessageType("StructuredQuery.UnaryFilter", ["op", "field"])
}

/// The names of the parts of filters in messages (§4.2).
enum FilterMessage {
  static let kinds = ["compositeFilter", "fieldFilter", "unaryFilter"]

  static let compositeOperator = EnumType(
    "StructuredQuery.CompositeFilter.Operator", ["OPERATOR_UNSPECIFIED", "AND", "OR"])
  static let fieldOperator = EnumType(
    "StructuredQuery.FieldFilter.Operator",
    [
      "OPERATOR_UNSPECIFIED", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN",
      "GREATER_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL", "ARRAY_CONTAINS", "IN", "ARRAY_CONTAINS_ANY",
      "NOT_IN",
    ])
  /// The operators by their numbers; number 1 was never assigned.
  static let unaryOperator = EnumType(
    "StructuredQuery.UnaryFilter.Operator",
    ["OPERATOR_UNSPECIFIED", "", "IS_NAN", "IS_NULL", "IS_NOT_NAN", "IS_NOT_NULL"])

  static func comparison(_ number: Int) -> Filter.Comparison? {
    guard fieldOperator.values.indices.contains(number) else { return nil }
    let name = fieldOperator.values[number]
    return Filter.Comparison.allCases.first { $0.protocolName.utf8Equal(name) }
  }

  static func test(_ number: Int) -> Filter.UnaryTest? {
    guard unaryOperator.values.indices.contains(number) else { return nil }
    let name = unaryOperator.values[number]
    return Filter.UnaryTest.allCases.first { FilterMessage.name(of: $0).utf8Equal(name) }
  }

  static func name(of test: Filter.UnaryTest) -> String {
    switch test {
    case .isNull: "IS_NULL"
    case .isNaN: "IS_NAN"
    case .isNotNull: "IS_NOT_NULL"
    case .isNotNaN: "IS_NOT_NAN"
    }
  }
}

extension MessageReader {
  private static let noFilter = Filter.and([])

  /// Reads a `Filter` (§4.2).
  mutating func filter(_ json: JSONValue) throws(DatabaseError) -> Filter {
    var filter: Filter?
    try message(json, .filter) { reader, kind, value throws(DatabaseError) in
      switch kind {
      case "compositeFilter": filter = try reader.compositeFilter(value)
      case "fieldFilter": filter = try reader.fieldFilter(value)
      default: filter = try reader.unaryFilter(value)
      }
    }
    if filter == nil { refuse("Unknown Filter type.") }
    return filter ?? Self.noFilter
  }

  private mutating func compositeFilter(_ json: JSONValue) throws(DatabaseError) -> Filter {
    var number = 0
    var filters: [Filter] = []
    try message(json, .composite) { reader, field, value throws(DatabaseError) in
      if field == "op" {
        number = try reader.enumeration(value, FilterMessage.compositeOperator)
      } else {
        filters = try reader.list(value, of: MessageType.filter.name) {
          reader, json throws(DatabaseError) in
          try reader.filter(json)
        }
      }
    }
    switch number {
    case 1: return .and(filters)
    case 2: return .or(filters)
    default:
      refuse("Unsupported CompositeFilter operator.")
      return Self.noFilter
    }
  }

  private mutating func fieldFilter(_ json: JSONValue) throws(DatabaseError) -> Filter {
    var number = 0
    var field: JSONValue?
    var operand: JSONValue = .object([])
    try message(json, .field) { reader, name, value throws(DatabaseError) in
      switch name {
      case "field": field = value
      case "op": number = try reader.enumeration(value, FilterMessage.fieldOperator)
      default: operand = value
      }
    }
    let path = try reading(MessageField("field")) { reader throws(DatabaseError) in
      try reader.fieldReference(field)
    }
    let value = try reading(MessageField("value")) { reader throws(DatabaseError) in
      try reader.value(operand)
    }
    guard let comparison = FilterMessage.comparison(number) else {
      refuse("Unknown FieldFilter operator.")
      return Self.noFilter
    }
    return .field(path, comparison, value)
  }

  private mutating func unaryFilter(_ json: JSONValue) throws(DatabaseError) -> Filter {
    var number = 0
    var field: FieldPath?
    try message(json, .unary) { reader, name, value throws(DatabaseError) in
      if name == "op" {
        number = try reader.enumeration(value, FilterMessage.unaryOperator)
      } else {
        field = try reader.fieldReference(value)
      }
    }
    guard let field else {
      refuse("Unsupported UnaryFilter operand type (non-FIELD).")
      return Self.noFilter
    }
    guard let test = FilterMessage.test(number) else {
      refuse("Unknown UnaryFilter operator.")
      return Self.noFilter
    }
    return .unary(field, test)
  }
}
