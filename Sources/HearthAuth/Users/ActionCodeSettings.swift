public import Foundation
import HearthFirestoreJSON

/// The target of a link with a code.
public final class ActionCodeSettings {
  /// The address that the link leads to in the end; `nil` for none.
  public var url: URL?
  /// Whether the application itself opens the link.
  public var handleCodeInApp = false

  /// Creates settings without a target.
  public init() {}

  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let url { members.append(("continueUrl", .string(url.absoluteString))) }
    if handleCodeInApp { members.append(("canHandleCodeInApp", .boolean(true))) }
    return members
  }
}

/// The purposes of codes.
public enum ActionCodeOperation: String, Sendable {
  /// A new password.
  case passwordReset = "PASSWORD_RESET"
  /// The proof that an address is the user's.
  case verifyEmail = "VERIFY_EMAIL"
  /// The return to an earlier address.
  case recoverEmail = "RECOVER_EMAIL"
  /// A sign-in.
  case emailLink = "EMAIL_SIGNIN"
  /// A new address, with the proof that it is the user's.
  case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
  /// A purpose that this release doesn't know.
  case unknown = ""
}

/// The meaning of a code.
public final class ActionCodeInfo: Sendable {
  /// The purpose.
  public let operation: ActionCodeOperation
  /// The address that the code was sent to, or the new one.
  public let email: String
  /// The address before a change; `nil` for another purpose.
  public let previousEmail: String?

  init(_ answer: JSONValue) {
    operation = ActionCodeOperation(rawValue: answer["requestType"]?.string ?? "") ?? .unknown
    let email = answer["email"]?.string
    let newEmail = answer["newEmail"]?.string
    self.email = newEmail ?? email ?? ""
    previousEmail = newEmail == nil ? nil : email
  }
}

/// A code that waits at accounts that send no mail.
public struct WaitingCode: Sendable {
  /// The purpose.
  public let operation: ActionCodeOperation
  /// The address that the code is for.
  public let email: String
  /// The code.
  public let code: String
  /// The link with the code, as a mail would have it.
  public let link: String

  init(_ json: JSONValue) {
    operation = ActionCodeOperation(rawValue: json["requestType"]?.string ?? "") ?? .unknown
    email = json["email"]?.string ?? ""
    code = json["oobCode"]?.string ?? ""
    link = json["oobLink"]?.string ?? ""
  }
}
