import Hearth
package import HearthDocumentModel

/// Circumstances of a call, beside its message.
package struct CallContext: Sendable {
  /// The moment at which the client stops waiting; `nil` for none.
  package let deadline: ContinuousClock.Instant?
  /// The header `google-cloud-resource-prefix`: the database that the client means; `nil` if it
  /// sent none.
  package let resourcePrefix: String?
  /// The credentials of the caller: the header `authorization`; `nil` if it sent none.
  package let authorization: String?
  /// Whether the call belongs into the log of calls: those by which the console looks at the log
  /// don't.
  package var isRecorded = true
  /// Receives the work of the call's queries; `nil` if nothing asks for it.
  package var work: CallWork?
  /// Receives the errors by which listeners of the call end, with their queries; `nil` if nothing
  /// asks for them.
  package var noteListenerEnd: (@Sendable (DatabaseError, RequestedQuery?) -> Void)?

  package init(
    deadline: ContinuousClock.Instant? = nil, resourcePrefix: String? = nil,
    authorization: String? = nil
  ) {
    self.deadline = deadline
    self.resourcePrefix = resourcePrefix
    self.authorization = authorization
  }

  /// The caller, read from its credentials at each call.
  package var caller: Caller { Caller(authorization: authorization) }

  /// The time of a query whose client sets no deadline, which is what Google's clients set.
  private static let longestQuery = Duration.seconds(300)

  /// The time that is left; `nil` without a deadline.
  var timeLeft: Duration? { deadline.map { max(.zero, $0 - .now) } }
  /// The time that a query may take. It has one in any case, so that it ends with its call.
  var queryTime: Duration { timeLeft ?? CallContext.longestQuery }
  /// The moment at which that time is over.
  var queryDeadline: ContinuousClock.Instant { deadline ?? .now + CallContext.longestQuery }

  /// Returns the database of a stream: the one that its first message names, or else the header.
  ///
  /// - Throws: `invalidArgument` for a malformed name, or none.
  func streamDatabase(_ name: String) throws(DatabaseError) -> DatabaseID {
    try ResourceName(database: name.isEmpty ? resourcePrefix ?? "" : name).database
  }

  /// Returns the database of a request.
  ///
  /// - Throws: `invalidArgument` if the header names another one; the errors of the source.
  func database(
    _ id: DatabaseID, in source: any DatabaseSource, for use: DatabaseUse
  ) async throws(DatabaseError) -> Database {
    try check(id)
    return try await source.database(id, for: use)
  }

  /// Checks that the header, if there is one, names the database of the message.
  ///
  /// - Throws: `invalidArgument`.
  func check(_ database: DatabaseID) throws(DatabaseError) {
    guard let resourcePrefix else { return }
    let named = try ResourceName(database: resourcePrefix).database
    guard named == database else { throw .otherDatabase(database, than: named) }
  }
}
