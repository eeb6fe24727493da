/// A message with a code that wasn't sent.
public struct MailFailure: Sendable {
  /// The purpose of the code, such as `PASSWORD_RESET`.
  public let kind: String
  /// The reason, such as `exit status 1`.
  public let reason: String
  /// The end of what the command has written to standard error, without the code.
  public let errors: String
}
