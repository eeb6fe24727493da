import HearthDocumentModel
import HearthQueryPlanning

/// The evaluation of a program's expressions for one operation.
///
/// Errors are outcomes: `&&` and `||` look at both sides, and variables keep the error of their
/// value until they are used.
struct Evaluator {
  /// An expression's value or error.
  typealias Outcome = Result<RulesValue, RulesError>

  private static let expressionLimit = 1_000
  /// The bytes and elements that an operation may handle, so that no rule takes long.
  private static let dataLimit = 64 << 20

  let program: Program
  let reads: DocumentReads
  let database: String
  private let request: RulesValue
  private let resource: RulesValue
  /// The document to which a query is fixed; `nil` for any other operation.
  private let fixedDocument: ResourcePath?
  private let fields: MapValue?
  private let fieldsAfter: MapValue?
  private var expressionsLeft = Evaluator.expressionLimit
  private var dataLeft = Evaluator.dataLimit
  /// The values of the current block's wildcards; `nil` where a query leaves one open.
  private var wildcards: [RulesValue?] = []
  /// The parameters and variables of the calls in progress.
  private var stack: [Local] = []
  /// The place of the current call's first parameter on the stack.
  private var frame = 0
  /// The outcomes of all expressions, if they are wanted.
  let trace: Trace?

  /// A parameter or variable. It is evaluated when it is used first.
  private enum Local {
    case pending(ExpressionID, frame: Int)
    case done(Outcome)
  }

  /// - Parameters:
  ///   - fixedDocument: the document to which a query is fixed, which must exist where `resource`
  ///     is used.
  ///   - fields: the fields of the operation's document; `nil` if it is missing or not known whole.
  ///   - fieldsAfter: those after the request.
  init(
    _ program: Program, request: RulesValue, resource: RulesValue, fixedDocument: ResourcePath?,
    fields: MapValue?, fieldsAfter: MapValue?, in database: String, reading reads: DocumentReads,
    tracing trace: Trace?
  ) {
    (self.program, self.request, self.resource) = (program, request, resource)
    self.fixedDocument = fixedDocument
    (self.fields, self.fieldsAfter) = (fields, fieldsAfter)
    (self.database, self.reads, self.trace) = (database, reads, trace)
  }

  /// Returns the outcome of a statement's condition.
  mutating func condition(
    _ id: ExpressionID, wildcards: [RulesValue?]
  ) -> Result<Bool, RulesError> {
    self.wildcards = wildcards
    stack.removeAll(keepingCapacity: true)
    frame = 0
    return truth(of: id)
  }

  // MARK: Limits

  /// Counts bytes or elements that the operation handles.
  mutating func handle(_ count: Int) throws(RulesError) {
    dataLeft -= count
    guard dataLeft >= 0 else { throw .tooMuchData }
  }

  /// Counts values that the operation makes.
  mutating func make(_ count: Int) throws(RulesError) {
    try handle(count, times: Self.valueByteCount)
  }

  private static let valueByteCount = 32

  /// Counts the comparison of each element of one list with each of another.
  mutating func handle(_ count: Int, times other: Int) throws(RulesError) {
    let (product, overflow) = count.multipliedReportingOverflow(by: other)
    guard !overflow else { throw .tooMuchData }
    try handle(product)
  }

  /// Counts a constant argument that is part of its call.
  mutating func countArgument() throws(RulesError) { try count(1) }

  private mutating func count(_ expressions: Int32) throws(RulesError) {
    expressionsLeft -= Int(expressions)
    guard expressionsLeft >= 0 else { throw .tooManyExpressions }
  }

  // MARK: Expressions

  mutating func value(of id: ExpressionID) throws(RulesError) -> RulesValue {
    guard let trace else { return try evaluate(program[id]) }
    if case .field(_, _, let member) = program[id] { return try value(of: member) }
    let outcome: Outcome
    do throws(RulesError) {
      outcome = .success(try evaluate(program[id]))
    } catch {
      outcome = .failure(error)
    }
    trace.append(id, outcome)
    return try outcome.get()
  }

  mutating func outcome(of id: ExpressionID) -> Outcome {
    do throws(RulesError) {
      return .success(try value(of: id))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the outcome of an expression that must be true or false.
  private mutating func truth(of id: ExpressionID) -> Result<Bool, RulesError> {
    do throws(RulesError) {
      let value = try value(of: id)
      guard case .bool(let isTrue) = value else {
        return .failure(.type(value.type, expected: "bool"))
      }
      return .success(isTrue)
    } catch {
      return .failure(error)
    }
  }

  private mutating func evaluate(_ instruction: Instruction) throws(RulesError) -> RulesValue {
    if case .constant(let index, let cost) = instruction {
      try count(cost)
      return program.constants[Int(index)]
    }
    if case .field(let isAfter, let name, let member) = instruction {
      return try field(isAfter, name, member)
    }
    try count(1)
    switch instruction {
    case .constant(let index, _): return program.constants[Int(index)]
    case .wildcard(let place): return try wildcard(place)
    case .local(let place): return try local(place)
    case .request: return request
    case .resource: return try existingResource()
    case .unknownVariable: throw .nullValue
    case .and(let left, let right): return try junction(left, right, decidedBy: false)
    case .or(let left, let right): return try junction(left, right, decidedBy: true)
    case .not(let operand): return try negated(operand)
    case .conditional(let condition, let then, let otherwise):
      try count(1)
      return try value(of: try truth(of: condition).get() ? then : otherwise)
    case .equal(let left, let right): return .bool(try areEqual(left, right, isNegated: false))
    case .notEqual(let left, let right): return .bool(try areEqual(left, right, isNegated: true))
    case .call(let function, let arguments): return try call(Int(function), arguments)
    default: return try evaluateOther(instruction)
    }
  }

  /// Evaluates the instructions that look at their operands' types.
  private mutating func evaluateOther(
    _ instruction: Instruction
  ) throws(RulesError) -> RulesValue {
    switch instruction {
    case .negated(let operand): return try Arithmetic.negated(try value(of: operand))
    case .contained(let element, let collection):
      return .bool(try isContained(try value(of: element), in: try value(of: collection)))
    case .compared(let operation, let left, let right):
      return .bool(
        try Comparisons.compare(operation, try value(of: left), try value(of: right)))
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, try value(of: left), try value(of: right))
    case .isType(let operand, let type): return try isType(operand, type)
    case .list(let elements):
      let list = RulesList(try values(of: elements))
      try make(list.weight)
      return .list(list)
    case .map(let entries): return try map(entries)
    case .path(let segments): return try path(segments)
    case .member(let object, let name):
      return try Self.member(program.names[Int(name)], of: try value(of: object))
    case .element(let object, let index):
      let object = try value(of: object)
      return try Self.element(at: try value(of: index), of: object)
    case .slice(let object, let from, let to): return try slice(object, from, to)
    case .method(let method, let operands): return try apply(method, operands)
    case .matches(let object, let pattern): return try matches(object, Int(pattern))
    case .builtin(let builtin, let arguments): return try apply(builtin, arguments)
    case .unknownFunction(let name, let object):
      if let object, case .null = try value(of: object) { throw .nullValue }
      throw .unknownFunction(program.names[Int(name)])
    default: throw .nullValue
    }
  }

  mutating func values(of range: OperandRange) throws(RulesError) -> [RulesValue] {
    var values: [RulesValue] = []
    values.reserveCapacity(Int(range.count))
    for index in 0..<Int(range.count) {
      values.append(try value(of: program.operand(range, index)))
    }
    return values
  }

  // MARK: Names and calls

  /// Returns a field of the operation's document, in one step for those of its path.
  private mutating func field(
    _ isAfter: Bool, _ name: Int32, _ member: ExpressionID
  ) throws(RulesError) -> RulesValue {
    guard let value = (isAfter ? fieldsAfter : fields)?[program.names[Int(name)]] else {
      return try self.value(of: member)
    }
    try count(isAfter ? 4 : 3)
    return RulesValue(value)
  }

  /// Returns `resource`. As in production's words, it can't be read for a query that is fixed to a
  /// document that doesn't exist.
  private func existingResource() throws(RulesError) -> RulesValue {
    guard let fixedDocument else { return resource }
    let fields: MapValue?
    do throws(DocumentReadError) {
      fields = try reads.fields(ofOwn: fixedDocument)
    } catch {
      throw .unreadable
    }
    guard fields != nil else { throw .other("Variable read error. Variable: [resource].") }
    return resource
  }

  private func wildcard(_ place: Int32) throws(RulesError) -> RulesValue {
    guard Int(place) < wildcards.count, let value = wildcards[Int(place)] else {
      throw .nullValue
    }
    return value
  }

  private mutating func local(_ place: Int32) throws(RulesError) -> RulesValue {
    let index = frame + Int(place)
    switch stack[index] {
    case .done(let outcome): return try outcome.get()
    case .pending(let expression, let ownFrame):
      let callFrame = frame
      frame = ownFrame
      let outcome = outcome(of: expression)
      frame = callFrame
      stack[index] = .done(outcome)
      return try outcome.get()
    }
  }

  private mutating func call(
    _ index: Int, _ arguments: OperandRange
  ) throws(RulesError) -> RulesValue {
    let function = program.functions[index]
    guard function.parameterCount == Int(arguments.count) else {
      throw .argumentCount(Int(arguments.count), expected: function.signature)
    }
    let callFrame = frame
    let start = stack.count
    for argument in 0..<function.parameterCount {
      stack.append(.pending(program.operand(arguments, argument), frame: callFrame))
    }
    for variable in function.variables { stack.append(.pending(variable, frame: start)) }
    frame = start
    let outcome = outcome(of: function.result)
    frame = callFrame
    stack.removeLast(stack.count - start)
    return try outcome.get()
  }

  // MARK: Logic

  /// Returns the value of `&&` or `||`. One side that decides makes up for an error of the other.
  private mutating func junction(
    _ left: ExpressionID, _ right: ExpressionID, decidedBy decision: Bool
  ) throws(RulesError) -> RulesValue {
    let first = truth(of: left)
    switch first {
    case .success(decision): return .bool(decision)
    case .success: return .bool(try truth(of: right).get())
    case .failure(let error):
      if error.isFinal { throw error }
      switch truth(of: right) {
      case .success(decision): return .bool(decision)
      case .failure(let other) where other.isFinal: throw other
      default: throw error
      }
    }
  }

  private mutating func negated(_ operand: ExpressionID) throws(RulesError) -> RulesValue {
    let value = try value(of: operand)
    guard case .bool(let isTrue) = value else {
      throw .unsupported(received: "!\(value.type.rawValue)", expected: "!bool")
    }
    return .bool(!isTrue)
  }

  private mutating func isType(
    _ operand: ExpressionID, _ type: RulesType
  ) throws(RulesError) -> RulesValue {
    try count(1)
    let value = try value(of: operand)
    if case .constraint = value { throw .unknown }
    return .bool(type.includes(value.type))
  }

  private mutating func areEqual(
    _ left: ExpressionID, _ right: ExpressionID, isNegated: Bool
  ) throws(RulesError) -> Bool {
    let (left, right) = (try value(of: left), try value(of: right))
    if case .constraint(let constraint) = left {
      return try Comparisons.compare(constraint, isNegated ? .notEqual : .equal, right)
    }
    if case .constraint(let constraint) = right {
      return try Comparisons.compare(constraint, isNegated ? .notEqual : .equal, left)
    }
    try handle(left.weight)
    return try left.equals(right) != isNegated
  }
}
