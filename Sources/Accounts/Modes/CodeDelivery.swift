import Synchronization

/// A code on its way to its user.
package struct SentCode: Sendable {
  package let code: String
  package let record: ActionCode
  /// The address that the user opens.
  package let link: String
  package let project: String
}

/// The way of codes to their users.
package protocol CodeDelivery: Sendable {
  /// Whether there is a way.
  var isAvailable: Bool { get }

  /// Sends a code, and waits until it is on its way.
  ///
  /// - Throws: `OPERATION_NOT_ALLOWED` if there is no way; the reason for which it isn't sent.
  func deliver(_ code: SentCode) async throws(AccountError)

  /// Sends a code without a wait. Its caller isn't told whether that succeeds.
  func post(_ code: SentCode)

  /// Forgets a code that was used.
  func forget(_ code: String)
}

/// The codes of a server that sends no mail, for those who develop with it. They last as long as
/// the process.
package final class CodeOutbox: CodeDelivery {
  private static let limit = 1000

  private let codes = Mutex<[SentCode]>([])

  package init() {}

  package var isAvailable: Bool { true }

  package func deliver(_ code: SentCode) async throws(AccountError) { post(code) }

  package func post(_ code: SentCode) {
    codes.withLock { codes in
      codes.removeAll { $0.project == code.project && $0.isReplaced(by: code) }
      codes.append(code)
      if codes.count > CodeOutbox.limit { codes.removeFirst() }
    }
  }

  /// The latest code that isn't used yet; `nil` for none.
  package var latest: SentCode? { codes.withLock { $0.last } }

  /// Returns the codes of a project that aren't used yet, the oldest first.
  func codes(ofProject project: String) -> [SentCode] {
    codes.withLock { codes in codes.filter { $0.project == project } }
  }

  package func forget(_ code: String) {
    codes.withLock { codes in codes.removeAll { $0.code == code } }
  }

  /// Forgets the codes of a project.
  func forgetAll(ofProject project: String) {
    codes.withLock { codes in codes.removeAll { $0.project == project } }
  }
}

extension SentCode {
  fileprivate func isReplaced(by other: SentCode) -> Bool {
    record.kind == other.record.kind && record.email == other.record.email
      && record.accountID == other.record.accountID
  }
}
