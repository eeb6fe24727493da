/// The program that sends the mail with codes to users.
public struct MailCommand: Sendable {
  /// The command, in the shell's language. Each run gets one message on its standard input, with
  /// lines that end as Unix has it, and its facts in the variables `HEARTH_MAIL_KIND`,
  /// `HEARTH_MAIL_TO` and `HEARTH_MAIL_LINK`. A status other than 0 means that it wasn't sent.
  public var command: String
  /// The address that sends, for the header `From`; `nil` to leave the header to the program.
  public var sender: String?
  /// The time after which a run is ended.
  public var timeLimit = Duration.seconds(20)
  /// The time after which a message that waits for a run is given up.
  public var waitLimit = Duration.seconds(20)

  /// Names the command.
  public init(_ command: String) {
    self.command = command
  }
}
