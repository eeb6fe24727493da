import Foundation
import HearthAuth
import HearthFirestoreJSON
import Testing

/// Changes of accounts: links, profiles, passwords, codes and deletion.
@Suite(.timeLimit(.minutes(5))) struct AccountTests {
  // MARK: Links

  @Test(arguments: Place.allCases) func anAnonymousUserIsLinked(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      let result = try await user.link(with: Token.credential("a1", email: "ada@example.com"))
      #expect(result.user.uid == user.uid)
      #expect(!user.isAnonymous)
      #expect(user.email == "ada@example.com" && user.isEmailVerified)
      #expect(user.providerData.map(\.providerID) == ["apple.com"])
      let calls = accounts.backend.count(of: "accounts:")
      #expect(
        await code { try await user.link(with: Token.credential("a2")) } == .providerAlreadyLinked)
      // The refusal needs no call.
      #expect(accounts.backend.count(of: "accounts:") == calls)
      try await user.link(
        with: EmailAuthProvider.credential(withEmail: "ada@example.com", password: "secret1"))
      #expect(user.providerData.map(\.providerID).sorted() == ["apple.com", "password"])
      #expect(
        try await auth.signIn(withEmail: "ada@example.com", password: "secret1").user.uid
          == user.uid)
    }
  }

  @Test(arguments: Place.allCases) func aCredentialInUseLeadsToItsAccount(
    place: Place
  ) async throws {
    try await TestAccounts.with(place) { accounts in
      let first = try accounts.auth()
      let owner = try await first.signIn(with: Token.credential("a1", email: "ada@example.com"))
        .user.uid
      let auth = try accounts.auth()
      let anonymous = try await auth.signInAnonymously().user
      let error = try await failure { try await anonymous.link(with: Token.credential("a1")) }
      #expect(error.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
      #expect(
        error.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_CREDENTIAL_ALREADY_IN_USE")
      #expect(auth.currentUser?.uid == anonymous.uid)
      let credential = try #require(
        error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential)
      #expect(try await auth.signIn(with: credential).user.uid == owner)
      #expect(auth.currentUser?.uid == owner)
    }
  }

  @Test func anAddressInUseIsRefused() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      try await auth.createUser(withEmail: "ada@example.com", password: "secret1")
      try auth.signOut()
      let user = try await auth.signInAnonymously().user
      #expect(
        await code {
          try await user.link(
            with: EmailAuthProvider.credential(withEmail: "ada@example.com", password: "other12"))
        } == .emailAlreadyInUse)
      #expect(user.isAnonymous && auth.currentUser == user)
    }
  }

  @Test(arguments: Place.allCases) func aProviderIsUnlinked(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let user = try await auth.createUser(withEmail: "ada@example.com", password: "secret1").user
      #expect(await code { try await user.unlink(fromProvider: "apple.com") } == .noSuchProvider)
      try await user.link(with: Token.credential("a1"))
      let left = try await user.unlink(fromProvider: "apple.com")
      #expect(left.providerData.map(\.providerID) == ["password"])
      #expect(try await auth.signIn(with: Token.credential("a1")).user.uid != user.uid)
    }
  }

  @Test func anotherUsersCredentialDoesNotSignInAgain() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      try await auth.signIn(with: Token.credential("b1"))
      let user = try await auth.signIn(with: Token.credential("a1")).user
      let before = try await user.getIDToken()
      #expect(
        await code { try await user.reauthenticate(with: Token.credential("b1")) } == .userMismatch)
      // There is no such account, and none is made.
      #expect(
        await code { try await user.reauthenticate(with: Token.credential("c1")) } == .userMismatch)
      #expect(
        await code {
          try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "no@example.com", password: "secret1"))
        } == .userMismatch)
      #expect(auth.currentUser == user)
      #expect(try await user.getIDToken() == before)
      try await user.reauthenticate(with: Token.credential("a1"))
      #expect(user.refreshToken != nil && auth.currentUser == user)
    }
  }

  // MARK: Changes

  @Test(arguments: Place.allCases) func aProfileIsChanged(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      let calls = accounts.backend.count(of: "accounts:")
      try await user.createProfileChangeRequest().commitChanges()
      #expect(accounts.backend.count(of: "accounts:") == calls)
      let request = user.createProfileChangeRequest()
      request.displayName = "Ada"
      request.photoURL = URL(string: "https://example.com/ada.png")
      try await request.commitChanges()
      #expect(user.displayName == "Ada")
      #expect(auth.currentUser?.photoURL?.absoluteString == "https://example.com/ada.png")
      let removal = user.createProfileChangeRequest()
      #expect(removal.displayName == "Ada")
      removal.displayName = nil
      let error = await withCheckedContinuation { continuation in
        removal.commitChanges { continuation.resume(returning: $0 as NSError?) }
      }
      #expect(error == nil)
      #expect(user.displayName == nil && user.photoURL != nil)
    }
  }

  @Test func aPasswordAndAnAddressAreChanged() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let user = try await auth.createUser(withEmail: "ada@example.com", password: "secret1").user
      try await user.updatePassword(to: "secret2")
      try await user.updateEmail(to: "ada@example.org")
      #expect(user.email == "ada@example.org")
      // The tokens are those that the change has given.
      _ = try await user.getIDToken(forcingRefresh: true)
      try auth.signOut()
      #expect(
        await code { try await auth.signIn(withEmail: "ada@example.org", password: "secret1") }
          == .wrongPassword)
      try await auth.signIn(withEmail: "ada@example.org", password: "secret2")
    }
  }

  @Test func aReloadShowsChangesFromElsewhere() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let user = try await auth.signInAnonymously().user
      try await accounts.administer(
        "update", [("localId", .string(user.uid)), ("displayName", .string("Ada"))])
      #expect(user.displayName == nil)
      try await user.reload()
      #expect(user.displayName == "Ada")
    }
  }

  @Test(arguments: Place.allCases) func aDeletedAccountIsGone(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let user = try await auth.createUser(withEmail: "ada@example.com", password: "secret1").user
      try await user.delete()
      #expect(auth.currentUser == nil)
      #expect(
        await code { try await auth.signIn(withEmail: "ada@example.com", password: "secret1") }
          == .userNotFound)
      #expect(await code { try await user.reload() } == .userNotFound)
    }
  }

  // MARK: Codes

  @Test(arguments: Place.allCases) func aPasswordIsReset(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      try await auth.createUser(withEmail: "ada@example.com", password: "secret1")
      try auth.signOut()
      try await auth.sendPasswordReset(withEmail: "ada@example.com")
      let code = try #require(try await auth.waitingCodes().first)
      #expect(code.operation == .passwordReset && code.email == "ada@example.com")
      #expect(code.link.contains(code.code))
      #expect(try await auth.verifyPasswordResetCode(code.code) == "ada@example.com")
      try await auth.confirmPasswordReset(withCode: code.code, newPassword: "secret2")
      #expect(
        await HearthAuthTests.code {
          try await auth.confirmPasswordReset(withCode: code.code, newPassword: "secret3")
        } == .invalidActionCode)
      try await auth.signIn(withEmail: "ada@example.com", password: "secret2")
    }
  }

  @Test func anAddressIsVerified() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let user = try await auth.createUser(withEmail: "ada@example.com", password: "secret1").user
      try await user.sendEmailVerification()
      let code = try #require(try await auth.waitingCodes().first)
      let info = try await auth.checkActionCode(code.code)
      #expect(info.operation == .verifyEmail && info.email == "ada@example.com")
      try await auth.applyActionCode(code.code)
      #expect(!user.isEmailVerified)
      try await user.reload()
      #expect(user.isEmailVerified)
    }
  }

  @Test func aLinkInAMailSignsIn() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let settings = ActionCodeSettings()
      settings.url = URL(string: "http://localhost/done?a=b")
      settings.handleCodeInApp = true
      try await auth.sendSignInLink(toEmail: "ada@example.com", actionCodeSettings: settings)
      let link = try #require(try await auth.waitingCodes().first).link
      #expect(auth.isSignIn(withEmailLink: link))
      #expect(!auth.isSignIn(withEmailLink: "http://localhost/done?mode=signIn"))
      let result = try await auth.signIn(withEmail: "ada@example.com", link: link)
      #expect(result.user.email == "ada@example.com")
      #expect(result.user.isEmailVerified)
      #expect(
        await code { try await auth.signIn(withEmail: "ada@example.com", link: "no link") }
          == .invalidActionCode)
    }
  }
}
