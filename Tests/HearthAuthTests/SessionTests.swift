import Foundation
import HearthAuth
import HearthFirestoreJSON
import TestSupport
import Testing

/// Sessions: their tokens, their file, and their listeners.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
  // MARK: Tokens

  @Test(arguments: Place.allCases) func simultaneousRenewalsShareOneCall(
    place: Place
  ) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      let first = try await user.getIDToken()
      #expect(accounts.backend.count(of: "/token") == 0)
      accounts.clock.move(seconds: 3600 - 290)
      let tokens = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<100 { group.addTask { try await user.getIDToken() } }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(tokens.count == 100)
      #expect(accounts.backend.count(of: "/token") == 1)
      _ = try await user.getIDToken(forcingRefresh: true)
      #expect(accounts.backend.count(of: "/token") == 2)
      #expect(!first.isEmpty)
    }
  }

  @Test func changedClaimsComeWithANewToken() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      try await accounts.administer(
        "update",
        [("localId", .string(user.uid)), ("customAttributes", .string(#"{"level":3}"#))])
      #expect(try await user.getIDTokenResult().claims["level"] == nil)
      let result = try await user.getIDTokenResult(forcingRefresh: true)
      #expect(result.claims["level"] as? Int64 == 3)
      #expect(result.signInProvider == "anonymous")
    }
  }

  @Test(arguments: Place.allCases, ["disabled", "revoked", "deleted", "cleared"])
  func aRefusedRefreshTokenSignsOut(place: Place, change: String) async throws {
    try await TestAccounts.with(place) { accounts in
      let folder = try TemporaryFolder()
      let auth = try accounts.auth(sessionFile: folder.path(of: "session"))
      let user = try await auth.createUser(withEmail: "ada@example.com", password: "secret1").user
      let id = ("localId", JSONValue.string(user.uid))
      let expected: AuthErrorCode
      switch change {
      case "disabled":
        try await accounts.administer("update", [id, ("disableUser", .boolean(true))])
        expected = .userDisabled
      case "revoked":
        try await accounts.administer(
          "update", [id, ("validSince", .string("\(Int(Date().timeIntervalSince1970) + 10)"))])
        expected = .userTokenExpired
      case "deleted":
        try await accounts.administer("delete", [id])
        expected = .userNotFound
      default:
        _ = try await accounts.backend.answer(
          AccountsRequest(
            method: "DELETE", target: "/emulator/v1/projects/demo-auth/accounts"))
        expected = .invalidUserToken
      }
      // As long as it is good, the token is the user's.
      _ = try await user.getIDToken()
      let code = await code { _ = try await user.getIDToken(forcingRefresh: true) }
      // All tokens of the accounts that were cleared may have gone with them, or not.
      #expect(code == expected || change == "deleted" && code == .invalidUserToken)
      #expect(auth.currentUser == nil)
      #expect(try accounts.auth(sessionFile: folder.path(of: "session")).currentUser == nil)
    }
  }

  @Test func aNetworkErrorKeepsTheUser() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      accounts.backend.isReachable = false
      accounts.clock.move(seconds: 4000)
      #expect(await code { _ = try await user.getIDToken() } == .networkError)
      #expect(auth.currentUser == user)
      accounts.backend.isReachable = true
      _ = try await user.getIDToken()
    }
  }

  // MARK: The file

  @Test(arguments: Place.allCases) func aSessionOutlivesTheProgram(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let folder = try TemporaryFolder()
      let file = folder.path(of: "session.json")
      let first = try accounts.auth(sessionFile: file)
      let user = try await first.createUser(withEmail: "ada@example.com", password: "secret1").user
      try await user.createProfileChangeRequest().named("Ada").commitChanges()
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session.json"])

      let second = try accounts.auth(sessionFile: file)
      let restored = try #require(second.currentUser)
      #expect(restored.uid == user.uid && restored.displayName == "Ada")
      #expect(restored.providerData.map(\.providerID) == ["password"])
      #expect(restored.metadata.creationDate == user.metadata.creationDate)
      accounts.clock.move(seconds: 4000)
      _ = try await restored.getIDToken()
      try await restored.reload()
      try second.signOut()
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(try accounts.auth(sessionFile: file).currentUser == nil)
    }
  }

  @Test func aSessionOfOtherAccountsIsNotUsed() async throws {
    try await TestAccounts.with { accounts in
      let folder = try TemporaryFolder()
      let file = folder.path(of: "session")
      try await accounts.auth(sessionFile: file).signInAnonymously()
      let server = try #require(URL(string: "http://127.0.0.1:1"))
      #expect(try Auth(server: server, sessionFile: file).currentUser == nil)
      let auth = try accounts.auth(sessionFile: file)
      #expect(auth.currentUser != nil)
      auth.useEmulator(withHost: "127.0.0.1", port: 1)
      #expect(auth.currentUser == nil)
      #expect(await code { try await auth.signInAnonymously() } == .networkError)
    }
  }

  @Test func aFileThatOthersMayReadOrThatIsDamagedIsRefused() async throws {
    try await TestAccounts.with { accounts in
      let folder = try TemporaryFolder()
      let file = folder.path(of: "session")
      try await accounts.auth(sessionFile: file).signInAnonymously()
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      let open = try await failure { _ = try accounts.auth(sessionFile: file) }
      #expect(open.code == AuthErrorCode.keychainError.rawValue)
      #expect(open.localizedDescription.contains("chmod 600"))
      try Data("{".utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let damaged = try await failure { _ = try accounts.auth(sessionFile: file) }
      #expect(damaged.localizedDescription.contains("Delete it"))
    }
  }

  @Test func aFileThatCannotBeWrittenRefusesTheSignIn() async throws {
    try await TestAccounts.with { accounts in
      let folder = try TemporaryFolder()
      let auth = try accounts.auth(sessionFile: folder.path(of: "missing/session"))
      #expect(await code { try await auth.signInAnonymously() } == .keychainError)
      #expect(auth.currentUser == nil)
    }
  }

  // MARK: Listeners

  @Test func listenersAreToldOfUsersAndTokens() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let (states, state) = AsyncStream.makeStream(of: String.self)
      let (tokens, token) = AsyncStream.makeStream(of: String.self)
      let handles = (
        auth.addStateDidChangeListener { state.yield($1?.email ?? ($1 == nil ? "none" : "new")) },
        auth.addIDTokenDidChangeListener { token.yield($1?.email ?? ($1 == nil ? "none" : "new")) }
      )
      var stateIterator = states.makeAsyncIterator()
      var tokenIterator = tokens.makeAsyncIterator()
      #expect(await stateIterator.next() == "none")
      #expect(await tokenIterator.next() == "none")
      let user = try await auth.signInAnonymously().user
      #expect(await stateIterator.next() == "new")
      #expect(await tokenIterator.next() == "new")
      // The user is the same one, but the token isn't.
      try await user.link(with: Token.credential("a1", email: "ada@example.com"))
      _ = await tokenIterator.next()
      _ = try await user.getIDToken(forcingRefresh: true)
      #expect(await tokenIterator.next() == "ada@example.com")
      try auth.signOut()
      #expect(await stateIterator.next() == "none")
      #expect(await tokenIterator.next() == "none")
      auth.removeStateDidChangeListener(handles.0)
      try await auth.signIn(with: Token.credential("a1"))
      #expect(await tokenIterator.next() == "ada@example.com")
      auth.removeIDTokenDidChangeListener(handles.1)
      try auth.signOut()
      auth.dispatchQueue.sync {}
      state.finish()
      token.finish()
      #expect(await stateIterator.next() == nil)
      #expect(await tokenIterator.next() == nil)
    }
  }

  @Test func aUserWhoWasSignedOutCanComeBack() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let first = try await auth.signInAnonymously().user
      try auth.signOut()
      try await auth.signInAnonymously()
      try await auth.updateCurrentUser(first)
      #expect(auth.currentUser == first)
      try await auth.updateCurrentUser(nil)
      #expect(auth.currentUser == nil)
      #expect(
        await code { try await auth.revokeToken(withAuthorizationCode: "code") } == .nullUser)
    }
  }
}

extension UserProfileChangeRequest {
  fileprivate func named(_ name: String) -> UserProfileChangeRequest {
    displayName = name
    return self
  }
}
