import HearthAccounts
import HearthServerTransport
import Synchronization

/// The way of codes to users by a command, which gets each message.
///
/// The runs have threads of their own, a few at a time; more wait, up to a limit.
final class CodeMailer: CodeDelivery {
  private static let threadCount = 4
  /// The messages that may be under way or wait.
  private static let messageLimit = 64

  private struct State {
    var messageCount = 0
    var isStopping = false
  }

  private let command: MailCommand
  private let sender: MailAddress?
  /// The time, in milliseconds since 1970.
  private let now: @Sendable () -> Int64
  private let note: @Sendable (MailFailure) -> Void
  private let threads = CallThreads(count: threadCount)
  private let state = Mutex(State())

  init(
    _ command: MailCommand, from sender: MailAddress?, now: @escaping @Sendable () -> Int64,
    note: @escaping @Sendable (MailFailure) -> Void
  ) {
    (self.command, self.sender, self.now, self.note) = (command, sender, now, note)
  }

  var isAvailable: Bool { true }

  func deliver(_ code: SentCode) async throws(AccountError) {
    if let refusal = await refusal(of: code) { throw refusal }
  }

  func post(_ code: SentCode) { Task { _ = await refusal(of: code) } }

  func forget(_ code: String) {}

  /// Ends the threads, once the runs on them have ended. What waits isn't sent.
  func close() async {
    state.withLock { $0.isStopping = true }
    try? await threads.stop()
  }

  /// Sends a code.
  ///
  /// - Returns: the reason for which it isn't sent, as its caller is told it; `nil` for none.
  private func refusal(of code: SentCode) async -> AccountError? {
    let hasRoom = state.withLock { state in
      guard !state.isStopping, state.messageCount < CodeMailer.messageLimit else { return false }
      state.messageCount += 1
      return true
    }
    guard hasRoom else {
      note(code, "too many messages wait")
      return AccountError(
        "TOO_MANY_ATTEMPTS_TRY_LATER", "Too many messages are being sent. Try again later.")
    }
    defer { state.withLock { $0.messageCount -= 1 } }
    let asked = ContinuousClock.now
    return await Task(executorPreference: threads) { self.attempt(code, askedAt: asked) }.value
  }

  private func attempt(
    _ code: SentCode, askedAt asked: ContinuousClock.Instant
  ) -> AccountError? {
    let unsent = AccountError(
      status: 503, "The message with the code can't be sent now. Try again later.")
    guard !state.withLock({ $0.isStopping }) else {
      note(code, "the server is stopping")
      return unsent
    }
    guard ContinuousClock.now - asked < command.waitLimit else {
      note(code, "it has waited longer than \(command.waitLimit)")
      return unsent
    }
    guard let message = MailMessage(code, from: sender, at: now() / 1000) else {
      note(code, "the address can't be written to")
      return AccountError("INVALID_RECIPIENT_EMAIL")
    }
    let variables = [
      ("HEARTH_MAIL_KIND", code.record.kind.rawValue), ("HEARTH_MAIL_TO", message.recipient),
      ("HEARTH_MAIL_LINK", code.link),
    ]
    do {
      let run = try ShellCommand.run(
        command.command, input: Array(message.text.utf8), variables: variables,
        within: command.timeLimit)
      guard let failure = run.failure else { return nil }
      note(code, failure, errors: String(decoding: run.errors, as: UTF8.self))
    } catch {
      note(code, "\(error)")
    }
    return unsent
  }

  private func note(_ code: SentCode, _ reason: String, errors: String = "") {
    note(
      MailFailure(
        kind: code.record.kind.rawValue, reason: reason,
        errors: String(errors.replacing(code.code, with: "CODE").suffix(1000))))
  }
}
