import HearthDocumentModel

/// Circumstances of a call, beside its message.
package struct CallContext: Sendable {
  /// The moment at which the client stops waiting; `nil` for none.
  package let deadline: ContinuousClock.Instant?
  /// The header `google-cloud-resource-prefix`: the database that the client means; `nil` if it
  /// sent none.
  package let resourcePrefix: String?
  package let caller: Caller

  package init(
    deadline: ContinuousClock.Instant? = nil, resourcePrefix: String? = nil,
    caller: Caller = .owner
  ) {
    self.deadline = deadline
    self.resourcePrefix = resourcePrefix
    self.caller = caller
  }

  /// The time that is left; `nil` without a deadline.
  var timeLeft: Duration? { deadline.map { max(.zero, $0 - .now) } }

  /// Returns the database of a stream: the one that its first message names, or else the header.
  ///
  /// - Throws: `invalidArgument` for a malformed name, or none.
  func streamDatabase(_ name: String) throws(DatabaseError) -> DatabaseID {
    try ResourceName(database: name.isEmpty ? resourcePrefix ?? "" : name).database
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
