import HearthDocumentModel

/// The judgement of one operation by a program.
struct Judgement {
  private let program: Program
  private let method: RulesMethod
  private let request: RulesRequest
  private let trace: Trace?
  private(set) var items: [Decision.Item] = []

  init(
    by program: Program, of method: RulesMethod, in request: RulesRequest, tracing trace: Trace?
  ) {
    (self.program, self.method, self.request, self.trace) = (program, method, request, trace)
  }

  /// Tries the statements of all blocks that fit until one allows.
  ///
  /// - Returns: whether one does.
  mutating func allows(
    _ subject: MatchSubject, resource: RulesValue, request view: RequestView,
    fixedDocument: ResourcePath? = nil, fields: MapValue? = nil, fieldsAfter: MapValue? = nil
  ) -> Bool {
    var evaluator = Evaluator(
      program, request: .map(.object(view)), resource: resource, fixedDocument: fixedDocument,
      fields: fields, fieldsAfter: fieldsAfter, in: request.database, reading: request.reads,
      tracing: trace)
    for block in program.blocks {
      guard block.methods.contains(method.set),
        let wildcards = subject.wildcards(of: block, version: program.version)
      else { continue }
      for statement in block.statements where statement.methods.contains(method.set) {
        if allows(statement, &evaluator, wildcards) { return true }
        if request.reads.failure != nil { return false }
      }
    }
    return false
  }

  private mutating func allows(
    _ statement: Statement, _ evaluator: inout Evaluator, _ wildcards: [RulesValue?]
  ) -> Bool {
    let start = trace?.outcomes.count ?? 0
    let outcome =
      statement.condition.map { evaluator.condition($0, wildcards: wildcards) } ?? .success(true)
    let reason: String? =
      switch outcome {
      case .success(true): nil
      case .success(false): "false"
      case .failure(let error): error.text ?? place(of: statement)
      }
    items.append(
      Decision.Item(
        reason: reason, method: method, line: statement.line,
        traced: start..<(trace?.outcomes.count ?? 0)))
    return reason == nil
  }

  /// The reason of an error without a text.
  private func place(of statement: Statement) -> String {
    let position = statement.condition.map { program.ranges[Int($0.index)].start }
    return "evaluation error at L\(position?.line ?? 0):\(position?.column ?? 0)"
  }
}
