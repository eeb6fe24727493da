import HearthFirestoreJSON

/// The address that a link with a code leads to: it applies the code, and sends the browser on.
struct ActionPage {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let mode = call.parameters["mode"] else {
      return failure("missing mode query parameter")
    }
    guard let code = call.parameters["oobCode"] else {
      return failure("missing oobCode query parameter")
    }
    do throws(AccountError) {
      switch mode {
      case "resetPassword": return try await reset(by: code)
      case "verifyEmail": return try await apply(code, "The email has been successfully verified.")
      case "verifyAndChangeEmail", "recoverEmail":
        return try await apply(code, "The email has been successfully changed.")
      case "signIn": return signIn()
      default: return failure("Invalid mode")
      }
    } catch {
      return failure(error.message)
    }
  }

  private func reset(by code: String) async throws(AccountError) -> AccountAnswer {
    guard let password = call.parameters["newPassword"] else {
      return failure("missing newPassword query parameter")
    }
    let fields = RequestFields([("oobCode", .string(code)), ("newPassword", .string(password))])
    let answer = try await PasswordReset(call: call.with(fields)).answer()
    return success("The password has been successfully updated.", answer.json["email"]?.string)
  }

  private func apply(_ code: String, _ text: String) async throws(AccountError) -> AccountAnswer {
    let (account, _) = try await CodeApplication(call: call).apply(code)
    return success(text, account.email)
  }

  /// Sends the browser on.
  private func redirection(to target: String) -> AccountAnswer {
    // No other character may be in a header.
    guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return failure("Invalid continueUrl query parameter")
    }
    return AccountAnswer(303, .object([]), location: target)
  }

  /// Sends the browser to the application, which signs in by the address.
  private func signIn() -> AccountAnswer {
    guard let target = call.parameters["continueUrl"] else {
      return failure("missing continueUrl query parameter")
    }
    let parameters = call.parameters.fields.filter { $0.name != "continueUrl" }
      .map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    let link = target + (target.contains("?") ? "&" : "?") + parameters
    return redirection(to: link)
  }

  private func success(_ text: String, _ email: String?) -> AccountAnswer {
    if let target = call.parameters["continueUrl"] { return redirection(to: target) }
    var members: [(String, JSONValue)] = [("success", .string(text))]
    members.append("email", email)
    return AccountAnswer(200, .object([("authEmulator", .object(members))]))
  }

  private func failure(_ text: String) -> AccountAnswer {
    AccountAnswer(400, .object([("authEmulator", .object([("error", .string(text))]))]))
  }
}
