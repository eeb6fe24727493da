import HearthDocumentModel

/// Turns a file into a program: resolves names, and finds the faults of names and calls.
struct ProgramBuilder {
  private(set) var instructions: [Instruction] = []
  private(set) var operands: [ExpressionID] = []
  private var ranges: [SourceRange] = []
  var constants: [RulesValue] = []
  private(set) var names: [String] = []
  private var nameIndices: [UTF8Key: Int32] = [:]
  var patterns: [Pattern] = []
  private var functions: [Function?] = []
  /// The functions of the file, in the order in which their scopes are entered.
  private(set) var declared: [Declaration] = []
  private var blocks: [Block] = []
  var issues: [RulesIssue] = []
  /// The function that is being resolved, to record its calls; `nil` in a statement.
  private var currentFunction: Int?
  /// The parameters and variables of the current function that no expression has used yet.
  var unusedLocals: Set<Int> = []

  /// A function of the file.
  struct Declaration {
    let syntax: FunctionSyntax
    var calls: [Int] = []
    var isUsed = false
  }

  private init() {}

  /// Builds the program of the service for documents.
  ///
  /// - Returns: the program, and all faults. It is of use if none of them is an error.
  static func build(_ file: RulesFile) -> (program: Program, issues: [RulesIssue]) {
    var builder = ProgramBuilder()
    if file.version == 1 {
      builder.warn(
        "Ruleset uses old version (version [1]). Please update to the latest version (version "
          + "[2]).", at: SourceRange(.file, endOffset: 0))
    }
    var scope = Scope()
    builder.add(file.functions, to: &scope)
    builder.resolve(file.functions, in: scope)
    for (index, service) in file.services.enumerated() {
      builder.add(service, after: file.services[..<index], in: scope)
    }
    builder.finish()
    return (builder.program(version: file.version), builder.issues)
  }

  private func program(version: Int) -> Program {
    Program(
      instructions: instructions, operands: operands, ranges: ranges, constants: constants,
      names: names, patterns: patterns, functions: functions.compactMap(\.self), blocks: blocks,
      version: version)
  }

  private mutating func finish() {
    issues += CallCheck.issues(
      names: declared.map(\.syntax.name), calls: declared.map(\.calls))
    for declaration in declared where !declaration.isUsed {
      let name = declaration.syntax.name
      warn("Unused function: \(name.text).", at: name.range)
    }
  }

  // MARK: Faults

  mutating func warn(_ description: String, at range: SourceRange) {
    issues.append(RulesIssue(.warning, description, at: range))
  }

  mutating func report(_ description: String, at range: SourceRange) {
    issues.append(RulesIssue(.error, description, at: range))
  }

  // MARK: Parts of the program

  mutating func append(_ instruction: Instruction, _ range: SourceRange) -> ExpressionID {
    instructions.append(instruction)
    ranges.append(range)
    return ExpressionID(index: Int32(instructions.count - 1))
  }

  mutating func append(operands list: [ExpressionID]) -> OperandRange {
    defer { operands += list }
    return OperandRange(start: Int32(operands.count), count: Int32(list.count))
  }

  mutating func nameIndex(_ name: String) -> Int32 {
    if let index = nameIndices[UTF8Key(name)] { return index }
    names.append(name)
    nameIndices[UTF8Key(name)] = Int32(names.count - 1)
    return Int32(names.count - 1)
  }

  // MARK: Functions

  /// Makes functions known in `scope`, before any of them is resolved.
  private mutating func add(_ list: [FunctionSyntax], to scope: inout Scope) {
    for (index, function) in list.enumerated() {
      let name = function.name
      if list[..<index].contains(where: { $0.name.text.utf8Equal(name.text) }) {
        report("Function \(name.text) is already defined.", at: name.range)
        // One fault is enough: it is not unused as well.
        for id in declared.indices where declared[id].syntax.name.text.utf8Equal(name.text) {
          declared[id].isUsed = true
        }
      }
      scope.define(function: name.text, declared.count)
      declared.append(Declaration(syntax: function))
      functions.append(nil)
    }
  }

  /// Resolves functions, which stand last in the list of all.
  private mutating func resolve(_ list: [FunctionSyntax], in scope: Scope) {
    for (index, function) in list.enumerated() {
      resolve(function, declared.count - list.count + index, in: scope)
    }
  }

  private mutating func resolve(_ function: FunctionSyntax, _ id: Int, in scope: Scope) {
    let name = function.name
    if function.parameters.count > 7 {
      report(
        "Maximum allowed function arguments of 7 for function \(name.text) is reached.",
        at: name.range)
    }
    var scope = scope
    currentFunction = id
    unusedLocals = []
    for parameter in function.parameters {
      if scope.local(named: parameter.text) != nil {
        report("Variable \(parameter.text) is already defined.", at: parameter.range)
        unusedLocals.remove(scope.locals.count - 1)
      }
      define(parameter, in: &scope)
    }
    var variables: [ExpressionID] = []
    for variable in function.variables {
      variables.append(expression(variable.value, in: scope))
      if scope.local(named: variable.name.text) != nil {
        report(
          "The identifier [\(variable.name.text)] is already bound in the current scope.",
          at: variable.name.range)
      }
      define(variable.name, in: &scope)
    }
    let result = expression(function.result, in: scope)
    let locals = function.parameters + function.variables.map(\.name)
    for local in unusedLocals.sorted() {
      warn("Unused variable: \(locals[local].text).", at: locals[local].range)
    }
    currentFunction = nil
    unusedLocals = []
    functions[id] = Function(
      signature: "\(name.text)(\(function.parameters.map(\.text).joined(separator: ", ")))",
      parameterCount: function.parameters.count, variables: variables,
      result: result, body: function.body)
  }

  private mutating func define(_ local: Name, in scope: inout Scope) {
    checkPackage(local)
    unusedLocals.insert(scope.locals.count)
    scope.define(local: local.text)
  }

  mutating func checkPackage(_ name: Name) {
    guard Builtin.packages.contains(name.text) else { return }
    report("\(name.text) is a package and cannot be used as variable name.", at: name.range)
  }

  /// Notes a call of a declared function.
  mutating func noteCall(of function: Int) {
    declared[function].isUsed = true
    if let caller = currentFunction { declared[caller].calls.append(function) }
  }
}

// MARK: - Blocks

extension ProgramBuilder {
  private static let documents = "cloud.firestore"
  private static let services: Set<String> = [documents, "firebase.storage"]

  private mutating func add(
    _ service: ServiceSyntax, after others: ArraySlice<ServiceSyntax>, in scope: Scope
  ) {
    let name = service.name
    if others.contains(where: { $0.name.text.utf8Equal(name.text) }) {
      report("Duplicate service name declaration.", at: name.range)
    }
    let isKnown = Self.services.contains(name.text)
    if !isKnown { warn("Invalid service name: \(name.text).", at: name.range) }
    var scope = scope
    add(service.functions, to: &scope)
    resolve(service.functions, in: scope)
    let blockCount = blocks.count
    for match in service.matches { add(match, below: [], isKnown, in: scope) }
    if name.text != Self.documents { blocks.removeSubrange(blockCount...) }
  }

  private mutating func add(
    _ match: MatchSyntax, below outer: [Block.Segment], _ hasMethods: Bool, in scope: Scope
  ) {
    var scope = scope
    for name in match.path.compactMap(\.segment.name) {
      checkPackage(name)
      scope.define(wildcard: name.text)
    }
    let path = outer + match.path.map { Block.Segment($0.segment) }
    add(match.functions, to: &scope)
    resolve(match.functions, in: scope)
    let statements = match.statements.map { statement($0, hasMethods, in: scope) }
    if !statements.isEmpty { blocks.append(Block(path: path, statements: statements)) }
    for inner in match.matches { add(inner, below: path, hasMethods, in: scope) }
  }

  private mutating func statement(
    _ allow: AllowSyntax, _ hasMethods: Bool, in scope: Scope
  ) -> Statement {
    var methods: MethodSet = []
    for name in allow.methods {
      if hasMethods, let named = MethodSet(named: name.text) {
        methods.formUnion(named)
      } else {
        warn("Invalid method name: \(name.text).", at: name.range)
      }
    }
    return Statement(
      methods: methods, condition: allow.condition.map { expression($0, in: scope) },
      line: (allow.condition?.range ?? allow.range).start.line)
  }
}

extension Block.Segment {
  fileprivate init(_ segment: MatchSyntax.Segment) {
    switch segment {
    case .text(let text): self = .text(text)
    case .variable: self = .wildcard
    case .glob: self = .glob
    }
  }
}
