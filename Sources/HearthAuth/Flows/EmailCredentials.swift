import Foundation
import HearthFirestoreJSON

extension EmailCredential {
  /// The name and the members of the call that signs in with this credential.
  ///
  /// - Throws: `invalidActionCode` for a link without a code.
  func signIn() throws(AuthFailure) -> (call: String, members: [(String, JSONValue)]) {
    var members: [(String, JSONValue)] = [
      ("email", .string(email)), ("returnSecureToken", .boolean(true)),
    ]
    switch proof {
    case .password(let password):
      members.append(("password", .string(password)))
      return ("signInWithPassword", members)
    case .link(let link):
      members.append(("oobCode", .string(try EmailLink(link).code)))
      return ("signInWithEmailLink", members)
    }
  }

  /// The name of the call that links this credential with an account, whose other members are those
  /// of a sign-in.
  var linkingCall: String {
    switch proof {
    case .password: "signUp"
    case .link: "signInWithEmailLink"
    }
  }
}

/// A link with a code, as it is sent to an address.
struct EmailLink {
  let code: String
  let mode: String

  /// - Throws: `invalidActionCode` for a text that is no such link.
  init(_ link: String) throws(AuthFailure) {
    guard let found = EmailLink.parameters(of: link, depth: 0) else {
      throw AuthFailure(.invalidActionCode, "The link has no code.")
    }
    (code, mode) = found
  }

  /// Finds the code of a link, or of one that is a parameter of it.
  private static func parameters(of link: String, depth: Int) -> (code: String, mode: String)? {
    guard depth < 4, let items = URLComponents(string: link)?.queryItems else { return nil }
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    if let code = value("oobCode"), !code.isEmpty { return (code, value("mode") ?? "") }
    return ["link", "deep_link_id"].lazy.compactMap(value).compactMap {
      parameters(of: $0, depth: depth + 1)
    }.first
  }
}
