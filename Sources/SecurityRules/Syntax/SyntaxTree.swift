/// A name in a file with its place.
struct Name {
  let text: String
  let range: SourceRange
}

/// A whole file of rules as it is written.
struct RulesFile {
  /// 1 or 2.
  var version = 1
  var functions: [FunctionSyntax] = []
  var services: [ServiceSyntax] = []
}

/// A `service` block.
struct ServiceSyntax {
  let name: Name
  var functions: [FunctionSyntax] = []
  var matches: [MatchSyntax] = []
}

/// A `match` block.
struct MatchSyntax {
  /// A segment of the block's path.
  enum Segment {
    case text(String)
    case variable(Name)
    /// A variable for any number of segments.
    case glob(Name)
  }

  let path: [(segment: Segment, range: SourceRange)]
  /// The place of the word `match`.
  let range: SourceRange
  var functions: [FunctionSyntax] = []
  var matches: [MatchSyntax] = []
  var statements: [AllowSyntax] = []

  /// Whether the block has nothing in it.
  var declaresNothing: Bool { functions.isEmpty && matches.isEmpty && statements.isEmpty }
}

/// An `allow` statement.
struct AllowSyntax {
  let methods: [Name]
  /// The condition; `nil` if there is none, so that the statement always allows.
  let condition: ExpressionSyntax?
  let range: SourceRange
}

/// The definition of a function.
struct FunctionSyntax {
  let name: Name
  let parameters: [Name]
  let variables: [VariableSyntax]
  let result: ExpressionSyntax
  /// From the first `let`, or the result, to the end of the result.
  let body: SourceRange
}

/// The definition of a variable in a function.
struct VariableSyntax {
  let name: Name
  let value: ExpressionSyntax
  /// From the word `let` to the end of the value.
  let range: SourceRange
}

/// An expression with its place.
struct ExpressionSyntax {
  indirect enum Kind {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    case variable(String)
    case list([ExpressionSyntax])
    case map([(key: ExpressionSyntax, value: ExpressionSyntax)])
    /// A path of constant and computed segments.
    case path([PathSegmentSyntax])
    case parentheses(ExpressionSyntax)
    case prefixed(UnaryOperator, ExpressionSyntax)
    case binary(BinaryOperator, ExpressionSyntax, ExpressionSyntax, SourceRange)
    case conditional(ExpressionSyntax, then: ExpressionSyntax, otherwise: ExpressionSyntax)
    case isType(ExpressionSyntax, RulesType)
    case member(ExpressionSyntax, Name)
    case element(ExpressionSyntax, ExpressionSyntax)
    case slice(ExpressionSyntax, from: ExpressionSyntax?, to: ExpressionSyntax?)
    case method(ExpressionSyntax, Name, [ExpressionSyntax])
    case call(Name, [ExpressionSyntax])
  }

  let kind: Kind
  let range: SourceRange
  /// The number of levels of the tree, parentheses included.
  let height: Int

  init(_ kind: Kind, _ range: SourceRange) {
    self.kind = kind
    self.range = range
    height = 1 + (kind.operands.map(\.height).max() ?? 0)
  }
}

/// A segment of a path in an expression.
enum PathSegmentSyntax {
  case text(String)
  case computed(ExpressionSyntax)
}

enum UnaryOperator: String {
  case not = "!"
  case minus = "-"
}

enum BinaryOperator: String {
  case or = "||", and = "&&", contained = "in", equal = "==", notEqual = "!=", less = "<"
  case lessOrEqual = "<=", greater = ">", greaterOrEqual = ">=", plus = "+", minus = "-"
  case times = "*", divided = "/", modulo = "%"
}

extension ExpressionSyntax.Kind {
  /// The expressions directly in this one, in the order of the text.
  var operands: [ExpressionSyntax] {
    switch self {
    case .null, .bool, .int, .float, .string, .bytes, .variable: []
    case .list(let elements): elements
    case .map(let pairs): pairs.flatMap { [$0.key, $0.value] }
    case .path(let segments):
      segments.compactMap { if case .computed(let part) = $0 { part } else { nil } }
    case .parentheses(let part), .prefixed(_, let part), .isType(let part, _), .member(let part, _):
      [part]
    case .binary(_, let left, let right, _): [left, right]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    case .element(let object, let index): [object, index]
    case .slice(let object, let from, let to): [object, from, to].compactMap { $0 }
    case .method(let object, _, let arguments): [object] + arguments
    case .call(_, let arguments): arguments
    }
  }
}
