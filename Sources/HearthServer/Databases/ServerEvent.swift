public import Hearth
public import HearthRules

/// An event that the owner of a server may want to hear of.
public enum ServerEvent: Sendable {
  /// A database was opened, or made.
  case opened(DatabaseID, OpenReport)
  /// A database has no room for the indexes of the server's file, and is served without them.
  case indexesRefused(DatabaseID, DatabaseError)
  /// A database was closed, with the error that closing had; `nil` for none.
  case closed(DatabaseID, DatabaseError?)
  /// A query was refused because an index is missing.
  case refused(RefusedQuery)
  /// A composite index is being built: at the beginning, and at each quarter.
  case building(DatabaseID, IndexDefinition, IndexAdministration.Progress)
  /// The build has ended, with the error that it had; `nil` if queries can use the index.
  case built(DatabaseID, IndexDefinition, DatabaseError?)
  /// Security rules refused a call, or ended a listener.
  case denied(DatabaseID, RulesRefusal)
  /// The changed rules of the file hold now.
  case rulesReplaced(file: String)
  /// The changed file of rules can't be read, or doesn't compile. The earlier rules hold on.
  case rulesRefused(file: String, DatabaseError)
  /// The keys of a provider of sign-in couldn't be fetched. Those that were fetched before are good
  /// on.
  case providerKeysUnavailable(provider: String, reason: String)
  /// A message with a code wasn't sent.
  case mailFailed(MailFailure)
  /// A client spoke TLS to a server without a certificate: it doesn't see the emulator's variable.
  case tlsRefused
}
