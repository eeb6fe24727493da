import HearthDocumentModel

/// Circumstances of a call, beside its message.
package struct CallContext: Sendable {
  /// The moment at which the client stops waiting; `nil` for none.
  package let deadline: ContinuousClock.Instant?
  /// The header `google-cloud-resource-prefix`: the database that the client means; `nil` if it
  /// sent none.
  package let resourcePrefix: String?

  package init(deadline: ContinuousClock.Instant? = nil, resourcePrefix: String? = nil) {
    self.deadline = deadline
    self.resourcePrefix = resourcePrefix
  }

  /// The time that is left; `nil` without a deadline.
  var timeLeft: Duration? { deadline.map { max(.zero, $0 - .now) } }

  /// Checks that the header, if there is one, names the database of the message.
  ///
  /// - Throws: `invalidArgument`.
  func check(_ database: DatabaseID) throws(DatabaseError) {
    guard let resourcePrefix else { return }
    let named = try ResourceName(database: resourcePrefix).database
    guard named == database else { throw .otherDatabase(database, than: named) }
  }
}
