import HearthAuth
import HearthFirebase
import HearthRules

// The code of SigningInFromSwift.md, word for word: DocumentationTests compares the two.

func accountsOfTheProcess() throws {
  try Auth.configure(accountsAt: "accounts.hearth", sessionFile: "session.json")
}

func accountsOfAServer() {
  Auth.auth().useEmulator(withHost: "127.0.0.1", port: 8080)
}

func anAnonymousUserWithAName() async throws {
  let user = try await Auth.auth().signInAnonymously().user
  let request = user.createProfileChangeRequest()
  request.displayName = "Ada"
  try await request.commitChanges()
}

func signIn(with credential: AuthCredential) async throws {
  guard let user = Auth.auth().currentUser else { return }
  do {
    try await user.link(with: credential)
  } catch let error as NSError where error.code == AuthErrorCode.credentialAlreadyInUse.rawValue {
    let key = AuthErrorUserInfoUpdatedCredentialKey
    guard let updated = error.userInfo[key] as? AuthCredential else { throw error }
    try await Auth.auth().signIn(with: updated)
  }
}

func rulesForTheSignedInUser(_ text: String) throws {
  let database = try Firestore.configure(at: "tasks.hearth")
  let rules = try database.rules(text)
  Firestore.firestore().setRules(rules, auth: Auth.auth())
}
