public import HearthDocumentModel

/// The verdict of rules on one operation, with what led to it.
public struct Decision: Sendable {
  /// The outcome of one `allow` statement that was tried.
  public struct Item: Sendable, Equatable {
    /// The reason it does not allow the operation; `nil` if it does.
    public let reason: String?
    /// The method that was asked for.
    public let method: RulesMethod
    /// The line on which the statement's condition begins.
    public let line: Int
    /// The places of the condition's expressions in the trace. The condition itself is the last;
    /// the range is empty without a trace, and for a statement without a condition.
    public let traced: Range<Int>
  }

  /// Whether the operation is allowed.
  public let isAllowed: Bool
  /// The statements that were tried, in the order of the file. A query has those of each
  /// alternative of its filter.
  public let items: [Item]
  /// The documents that the request's rules have read so far.
  public let documentsRead: [ResourcePath]
  /// The values of all expressions, in the order in which they were found; empty unless asked for.
  public internal(set) var trace: [TracedExpression] = []

  /// The reasons for a refusal, for developers. They tell the data that the rules look at.
  public var explanation: String {
    let refusals = items.compactMap { item in
      item.reason.map { "\($0) for '\(item.method.rawValue)' @ L\(item.line)" }
    }
    return refusals.isEmpty
      ? "No matching allow statements" : "\n" + refusals.joined(separator: ", ")
  }
}
