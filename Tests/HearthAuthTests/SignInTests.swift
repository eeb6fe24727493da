import Foundation
import HearthAuth
import HearthFirestoreJSON
import Testing

/// The ways of signing in, with accounts in the process and at a server.
@Suite(.timeLimit(.minutes(5))) struct SignInTests {
  @Test(arguments: Place.allCases) func anAnonymousUserStaysTheSame(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      #expect(auth.currentUser == nil)
      let result = try await auth.signInAnonymously()
      let user = try #require(auth.currentUser)
      #expect(result.user == user)
      #expect(result.additionalUserInfo?.isNewUser == true)
      #expect(user.uid.utf8.count == 28)
      #expect(user.isAnonymous && user.email == nil && user.providerData.isEmpty)
      #expect(user.providerID == "Firebase")
      #expect(user.metadata.creationDate != nil && user.metadata.lastSignInDate != nil)
      let again = try await auth.signInAnonymously()
      #expect(again.user.uid == user.uid)
      #expect(again.additionalUserInfo?.isNewUser == false)
      #expect(accounts.backend.count(of: "accounts:signUp") == 1)
      try auth.signOut()
      #expect(auth.currentUser == nil)
      #expect(try await auth.signInAnonymously().user.uid != user.uid)
    }
  }

  @Test(arguments: Place.allCases) func passwordsSignIn(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let uid = try await auth.createUser(withEmail: "Ada@Example.com", password: "secret1")
        .user.uid
      let user = try #require(auth.currentUser)
      #expect(user.email == "ada@example.com")
      #expect(!user.isAnonymous && !user.isEmailVerified)
      #expect(user.providerData.map(\.providerID) == [EmailAuthProvider.id])
      #expect(user.providerData.map(\.uid) == ["ada@example.com"])
      try auth.signOut()
      #expect(try await auth.fetchSignInMethods(forEmail: "ada@example.com") == ["password"])
      #expect(try await auth.fetchSignInMethods(forEmail: "bob@example.com") == [])
      let result = try await auth.signIn(withEmail: "ada@example.com", password: "secret1")
      #expect(result.user.uid == uid)
      #expect(result.additionalUserInfo?.isNewUser == false)
      #expect(result.additionalUserInfo?.providerID == "password")
    }
  }

  @Test(arguments: Place.allCases) func refusalsHaveFirebasesCodes(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      try await auth.createUser(withEmail: "ada@example.com", password: "secret1")
      try auth.signOut()
      let codes = [
        await code { try await auth.createUser(withEmail: "ada@example.com", password: "other12") },
        await code { try await auth.createUser(withEmail: "bob@example.com", password: "short") },
        await code { try await auth.createUser(withEmail: "no address", password: "secret1") },
        await code { try await auth.signIn(withEmail: "ada@example.com", password: "wrong12") },
        await code { try await auth.signIn(withEmail: "bob@example.com", password: "secret1") },
        await code { try await auth.signIn(withEmail: "", password: "secret1") },
        await code { try await auth.signIn(withCustomToken: "none") },
        await code {
          try await auth.signIn(
            with: OAuthProvider.credential(
              providerID: .apple, idToken: "none"))
        },
      ]
      #expect(
        codes == [
          .emailAlreadyInUse, .weakPassword, .invalidEmail, .wrongPassword, .userNotFound,
          .missingEmail, .invalidCustomToken, .invalidCredential,
        ])
      #expect(auth.currentUser == nil)
    }
  }

  @Test func anErrorHasDomainNameAndText() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let error = try await failure {
        try await auth.createUser(withEmail: "ada@example.com", password: "short")
      }
      #expect(error.domain == AuthErrorDomain)
      #expect(error.code == 17026)
      #expect(AuthErrorCode(rawValue: error.code) == .weakPassword)
      #expect(error.userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_WEAK_PASSWORD")
      #expect(error.localizedDescription == "Password should be at least 6 characters")
      do {
        try await auth.signIn(withEmail: "ada@example.com", password: "secret1")
        Issue.record("no account has the address")
      } catch let error as NSError where error.code == AuthErrorCode.userNotFound.rawValue {
        #expect(AuthErrorCode(_bridgedNSError: error)?.code == .userNotFound)
      }
    }
  }

  @Test(arguments: Place.allCases) func customTokensSignIn(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      let token = #"{"uid":"robot","claims":{"admin":true}}"#
      let result = try await auth.signIn(withCustomToken: token)
      #expect(result.user.uid == "robot")
      #expect(result.additionalUserInfo?.isNewUser == true)
      let claims = try await result.user.getIDTokenResult()
      #expect(claims.claims["admin"] as? Bool == true)
      #expect(claims.signInProvider == "custom")
      #expect(claims.expirationDate.timeIntervalSince(claims.issuedAtDate) == 3600)
      #expect(try await auth.signIn(withCustomToken: token).additionalUserInfo?.isNewUser == false)
    }
  }

  @Test(arguments: Place.allCases) func appleSignsInWithNonceAndName(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      var name = PersonNameComponents()
      name.givenName = "Ada"
      name.familyName = "Lovelace & Co"
      let hashed = "78377b525757b494427f89014f97d79928f3938d14eb51e20fb5dec9834eb304"
      let token =
        #"{"sub":"a1","email":"ada@example.com","email_verified":"true","nonce":"\#(hashed)"}"#
      #expect(
        await code {
          try await auth.signIn(
            with: OAuthProvider.appleCredential(
              withIDToken: token, rawNonce: "another", fullName: name))
        } == .missingOrInvalidNonce)
      let result = try await auth.signIn(
        with: OAuthProvider.appleCredential(
          withIDToken: token, rawNonce: "nonce", fullName: name))
      #expect(result.user.displayName == "Ada Lovelace & Co")
      #expect(result.user.isEmailVerified)
      #expect(result.user.providerData.map(\.uid) == ["a1"])
      #expect(result.additionalUserInfo?.isNewUser == true)
      #expect(result.additionalUserInfo?.providerID == "apple.com")
      #expect(result.additionalUserInfo?.profile?["email"] as? String == "ada@example.com")
      #expect((result.credential as? OAuthCredential)?.idToken == token)
    }
  }

  @Test(arguments: Place.allCases) func anAddressOfAnotherAccountIsTold(place: Place) async throws {
    try await TestAccounts.with(place) { accounts in
      let auth = try accounts.auth()
      try await auth.createUser(withEmail: "ada@example.com", password: "secret1")
      try auth.signOut()
      let error = try await failure {
        try await auth.signIn(
          with: Token.credential("a1", email: "ada@example.com", isVerified: false))
      }
      #expect(error.code == AuthErrorCode.accountExistsWithDifferentCredential.rawValue)
      #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ada@example.com")
      let credential = try #require(
        error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential)
      // As the text of the error says.
      try await auth.signIn(withEmail: "ada@example.com", password: "secret1")
      let linked = try await #require(auth.currentUser).link(with: credential)
      #expect(linked.user.providerData.map(\.providerID).sorted() == ["apple.com", "password"])
    }
  }

  @Test func accountsOutOfReachAreANetworkError() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      accounts.backend.isReachable = false
      #expect(await code { try await auth.signInAnonymously() } == .networkError)
    }
    let nowhere = try Auth(server: try #require(URL(string: "http://127.0.0.1:1")))
    #expect(await code { try await nowhere.signInAnonymously() } == .networkError)
  }

  @Test func withoutAccountsCallsFail() async throws {
    let auth = try Auth(backend: UnnamedAccounts())
    #expect(auth.currentUser == nil)
    let error = try await failure { try await auth.signInAnonymously() }
    #expect(error.code == AuthErrorCode.internalError.rawValue)
    #expect(error.localizedDescription.contains("Auth.configure(accountsAt:)"))
  }

  @Test func handlersGetResultsInTheOrderOfCalls() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let (results, continuation) = AsyncStream.makeStream(of: String.self)
      withoutWaiting {
        auth.createUser(withEmail: "ada@example.com", password: "secret1") { result, error in
          continuation.yield("created \(result?.user.email ?? "") \(error == nil)")
        }
        auth.signIn(withEmail: "ada@example.com", password: "wrong12") { result, error in
          continuation.yield("\(result == nil) \((error as NSError?)?.code ?? 0)")
        }
        auth.signIn(withEmail: "ada@example.com", password: "secret1") { result, error in
          continuation.yield("signed in \(result?.user.email ?? "") \(error == nil)")
          continuation.finish()
        }
      }
      var told: [String] = []
      for await result in results { told.append(result) }
      #expect(
        told == [
          "created ada@example.com true", "true 17009", "signed in ada@example.com true",
        ])
    }
  }

  @Test func simultaneousAnonymousSignInsAreOneUser() async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let uids = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 { group.addTask { try await auth.signInAnonymously().user.uid } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(uids.count == 1)
    }
  }
}

/// Makes calls in a context without `await`, so that they are the forms with a handler.
func withoutWaiting<Output>(_ calls: () -> Output) -> Output { calls() }
