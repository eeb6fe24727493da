import HearthDocumentModel

/// Compiled rules, which judge requests.
///
/// Any number of threads may use one at once.
public struct Ruleset: Sendable {
  /// The largest file, in bytes of UTF-8.
  public static let sizeLimit = 256 << 10

  /// The text that was compiled.
  public let source: String
  /// The name of the file, if it has one.
  public let fileName: String?
  /// The faults that don't keep the file from compiling, in the order of their places.
  public let warnings: [RulesIssue]
  let program: Program

  /// Compiles a file of rules.
  ///
  /// - Throws: all faults of a file that does not compile.
  /// - Complexity: O(*n* log *n*), where *n* is the length of the text.
  public init(compiling text: String, fileName: String? = nil) throws(RulesetError) {
    let whole = SourceRange(.file, endOffset: 0)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw RulesetError(
        issues: [
          RulesIssue(.error, "Rules content empty. Compilation aborted.", at: whole)
        ])
    }
    guard text.utf8.count <= Ruleset.sizeLimit else {
      throw RulesetError(
        issues: [
          RulesIssue(.error, "The rules have more than \(Ruleset.sizeLimit) bytes.", at: whole)
        ])
    }
    let (file, faults) = Parser.parse(text)
    guard let file else { throw RulesetError(issues: faults.sortedByPosition()) }
    let structure = faults + StructureCheck.issues(in: file)
    guard structure.isEmpty else { throw RulesetError(issues: structure.sortedByPosition()) }
    let (program, issues) = ProgramBuilder.build(file)
    let sorted = issues.sortedByPosition()
    guard !sorted.contains(where: { $0.severity == .error }) else {
      throw RulesetError(issues: sorted)
    }
    self.program = program
    self.fileName = fileName
    source = text
    warnings = sorted
  }

  /// Judges one operation of a request.
  ///
  /// - Parameter isTracing: whether the decision lists the values of all expressions.
  /// - Throws: the error of a document that could not be read.
  /// - Complexity: the conditions' expressions, of which at most 1,000 are evaluated, and the reads
  ///   of at most 10 documents, or 20 for a query.
  public func decide(
    _ operation: RulesOperation, of request: RulesRequest, tracing isTracing: Bool = false
  ) throws -> Decision {
    let trace = isTracing ? Trace() : nil
    var decision = try decide(operation, of: request, in: trace)
    decision.trace =
      trace?.outcomes.map { TracedExpression($0.id, of: program, $0.outcome) } ?? []
    return decision
  }

  /// Judges one operation of a request.
  ///
  /// - Parameter trace: receives the outcomes of all expressions; `nil` for nothing.
  /// - Throws: the error of a document that could not be read.
  func decide(
    _ operation: RulesOperation, of request: RulesRequest, in trace: Trace?
  ) throws -> Decision {
    var judgement = Judgement(
      by: program, of: operation.method, in: request, tracing: trace)
    request.reads.beginOperation(
      on: operation.path, limit: operation.method == .list ? 20 : 10)
    let isAllowed = judge(operation, of: request, by: &judgement)
    if let failure = request.reads.failure { throw failure }
    return Decision(
      isAllowed: isAllowed, items: judgement.items, documentsRead: request.reads.paths)
  }

  /// The places of all expressions, in the order of the text; one that holds others is before
  /// them. Constants are left out, unless they are a condition or the result of a function.
  public var expressions: [SourceRange] { program.listed.map { program.ranges[Int($0.index)] } }

  private func judge(
    _ operation: RulesOperation, of request: RulesRequest, by judgement: inout Judgement
  ) -> Bool {
    let database = request.database
    switch operation.target {
    case .document(let path), .result(let path, _):
      let resource: RulesValue =
        operation.before.map {
          .map(.object(DocumentView(path, in: database, data: .stored($0))))
        } ?? .null
      let requestPath = operation.query?.collection ?? path
      return judgement.allows(
        MatchSubject(path, in: database), resource: resource,
        request: RequestView(operation, of: request, path: requestPath),
        fields: operation.before, fieldsAfter: operation.after)
    case .query(let query):
      // Every alternative must be allowed, and each may be by another statement.
      guard let alternatives = QueryAlternative.all(of: query, in: database) else {
        return false
      }
      return alternatives.allSatisfy { alternative in
        judgement.allows(
          alternative.subject, resource: alternative.resource,
          request: RequestView(operation, of: request, path: alternative.path),
          fixedDocument: alternative.fixedDocument)
      }
    }
  }
}
