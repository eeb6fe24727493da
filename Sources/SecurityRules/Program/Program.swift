/// The checked rules of one service, with every name resolved.
///
/// Expressions lie in one list and refer to others by number. Constants and patterns are made once.
final class Program: Sendable {
  let instructions: [Instruction]
  let operands: [ExpressionID]
  /// The place of each expression.
  let ranges: [SourceRange]
  let constants: [RulesValue]
  let names: [String]
  let patterns: [Pattern]
  let functions: [Function]
  let blocks: [Block]
  /// 1 or 2.
  let version: Int

  init(
    instructions: [Instruction], operands: [ExpressionID], ranges: [SourceRange],
    constants: [RulesValue], names: [String], patterns: [Pattern], functions: [Function],
    blocks: [Block], version: Int
  ) {
    (self.instructions, self.operands, self.ranges) = (instructions, operands, ranges)
    (self.constants, self.names, self.patterns) = (constants, names, patterns)
    (self.functions, self.blocks, self.version) = (functions, blocks, version)
  }

  subscript(id: ExpressionID) -> Instruction { instructions[Int(id.index)] }

  func operand(_ range: OperandRange, _ index: Int) -> ExpressionID {
    operands[Int(range.start) + index]
  }
}

extension Program {
  /// The expressions of which reports tell, in the order of the text; one that holds others is
  /// before them. Constants are left out, unless they are a condition or the result of a function.
  var listed: [ExpressionID] {
    let conditions = blocks.flatMap(\.statements).compactMap(\.condition)
    let roots = Set((conditions + functions.map(\.result)).map(\.index))
    let listed = instructions.indices.filter { index in
      switch instructions[index] {
      // It has the place and the outcomes of a member.
      case .field: false
      case .constant: roots.contains(Int32(index))
      default: true
      }
    }
    func place(_ index: Int) -> (Int, Int) {
      (ranges[index].start.offset, -ranges[index].endOffset)
    }
    return listed.sorted { place($0) < place($1) }.map { ExpressionID(index: Int32($0)) }
  }
}

/// A function of a program.
struct Function: Sendable {
  /// The name with the parameters, as in `isOwner(id)`.
  let signature: String
  let parameterCount: Int
  /// The values of its variables, in order.
  let variables: [ExpressionID]
  let result: ExpressionID
  let body: SourceRange
}

/// A `match` block with statements, and its whole path.
struct Block: Sendable {
  /// A segment of the path.
  enum Segment: Sendable {
    case text(String)
    /// A wildcard for one segment.
    case wildcard
    /// A wildcard for any number of segments. A path has one at most.
    case glob
  }

  let path: [Segment]
  let statements: [Statement]
  /// All methods that the statements name.
  let methods: MethodSet
  /// The place of the glob in the path; `nil` if there is none.
  let globPlace: Int?

  init(path: [Segment], statements: [Statement]) {
    (self.path, self.statements) = (path, statements)
    methods = statements.reduce(into: []) { $0.formUnion($1.methods) }
    globPlace = path.firstIndex { if case .glob = $0 { true } else { false } }
  }
}

/// An `allow` statement.
struct Statement: Sendable {
  let methods: MethodSet
  /// The condition; `nil` if the statement always allows.
  let condition: ExpressionID?
  /// The line on which the condition begins, or the statement without one.
  let line: Int
}

/// The methods that a statement names.
struct MethodSet: OptionSet, Sendable {
  let rawValue: UInt8

  static let get = MethodSet(rawValue: 1)
  static let list = MethodSet(rawValue: 2)
  static let create = MethodSet(rawValue: 4)
  static let update = MethodSet(rawValue: 8)
  static let delete = MethodSet(rawValue: 16)

  /// Returns the methods of a name in any case; `nil` for an unknown name.
  init?(named name: String) {
    switch name.lowercased() {
    case "get": self = .get
    case "list": self = .list
    case "create": self = .create
    case "update": self = .update
    case "delete": self = .delete
    case "read": self = [.get, .list]
    case "write": self = [.create, .update, .delete]
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
