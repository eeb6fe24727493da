import HearthFirestoreJSON

/// The calls that the emulator has beside production's.
struct EmulatorCalls {
  let call: AccountCall

  func answer(_ method: AccountMethod) async throws(AccountError) -> AccountAnswer {
    switch method {
    case .clearAccounts:
      try await call.store.clear(call.project)
      call.mode.outbox?.forgetAll(ofProject: call.project)
      return AccountAnswer(200, .object([]))
    case .emulatorConfig: return try await ProjectConfiguration(call: call, isShort: true).answer()
    case .patchEmulatorConfig:
      return try await ProjectConfiguration(call: call, isShort: true).changeAnswer()
    case .oobCodes:
      let codes = call.mode.outbox?.codes(ofProject: call.project) ?? []
      return AccountAnswer(200, .object([("oobCodes", .array(codes.map(EmulatorCalls.json)))]))
    // No number ever gets a code.
    case .verificationCodes:
      return AccountAnswer(200, .object([("verificationCodes", .array([]))]))
    default: return try await ActionPage(call: call).answer()
    }
  }

  private static func json(of code: SentCode) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("email", .string(code.record.email)), ("requestType", .string(code.record.kind.rawValue)),
      ("oobCode", .string(code.code)), ("oobLink", .string(code.link)),
    ]
    members.append("newEmail", code.record.newEmail)
    return .object(members)
  }
}

extension AccountStore {
  /// Removes all accounts of a project with all that belongs to them. The switches stay.
  func clear(_ project: String) async throws(AccountError) {
    while try await change(project, { accounts throws(AccountError) in try accounts.clearSome() }) {
    }
  }
}
