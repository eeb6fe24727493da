public import HearthDocumentModel
public import HearthSecurityRules

/// The refusal of a request by security rules, with the statements that were tried. It is for
/// developers: it tells of data that the rules look at.
public struct RulesRefusal: DatabaseError.Details {
  /// A part of the request that the rules don't allow.
  public struct Operation: Sendable {
    /// The method that statements have to name.
    public let method: RulesMethod
    /// The path of the document, or of the collection of a query.
    public let path: ResourcePath
    /// The statements that name the method in blocks that fit, in the order of the file. Those of a
    /// query are tried once for each alternative of its filter.
    public let items: [Decision.Item]
    /// The values of the expressions; empty unless they were asked for.
    public let trace: [TracedExpression]
  }

  /// The largest number of refused operations that are listed.
  static let operationLimit = 100

  /// The parts that aren't allowed, up to 100.
  public let operations: [Operation]

  /// The reasons on one line, in the form of Firestore's emulator.
  public var explanation: String {
    let reasons = operations.flatMap(\.items).compactMap { item in
      item.reason.map { "\($0) for '\(item.method.rawValue)' @ L\(item.line)" }
    }
    return reasons.isEmpty
      ? "No matching allow statements" : "\n" + reasons.joined(separator: ", ")
  }
}

extension DatabaseError {
  /// The refusal of security rules; `nil` for an error with another cause.
  public var rulesRefusal: RulesRefusal? { details as? RulesRefusal }

  /// Creates the error of a refused request, in production's words unless they are to explain.
  init(_ refusal: RulesRefusal, explaining explains: Bool) {
    self.init(
      .permissionDenied,
      explains ? refusal.explanation : "Missing or insufficient permissions.", details: refusal)
  }
}
