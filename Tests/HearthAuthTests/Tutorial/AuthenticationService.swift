// The sign-in of a reminder list, as it is commonly written for Firebase. Only the imports would
// differ there, and a token comes from Apple's button: Combine, FirebaseAuth, Foundation.
import Foundation
import HearthAuth
import OpenCombine

@MainActor
class AuthenticationService: ObservableObject {
  @Published var user: User?
  @Published var errorMessage: String?
  private var authStateHandler: AuthStateDidChangeListenerHandle?

  init() {
    registerStateListener()
  }

  private func registerStateListener() {
    if let authStateHandler {
      Auth.auth().removeStateDidChangeListener(authStateHandler)
    }
    authStateHandler = Auth.auth().addStateDidChangeListener { [weak self] auth, user in
      self?.user = user
    }
  }

  func signIn() {
    guard Auth.auth().currentUser == nil else { return }
    Auth.auth().signInAnonymously { [weak self] result, error in
      if let error {
        self?.errorMessage = error.localizedDescription
      }
    }
  }

  func updateDisplayName(displayName: String) async {
    guard let user = Auth.auth().currentUser else { return }
    let request = user.createProfileChangeRequest()
    request.displayName = displayName
    do {
      try await request.commitChanges()
    } catch {
      errorMessage = "Unable to update the display name: \(error.localizedDescription)"
    }
  }

  func signOut() {
    do {
      try Auth.auth().signOut()
    } catch {
      errorMessage = error.localizedDescription
    }
  }
}

/// The view model of a sign-in screen.
@MainActor
class SignInViewModel: ObservableObject {
  enum Outcome {
    case signedIn, linked, merged, failed
  }

  @Published var errorMessage: String?
  private let repository: ReminderRepository

  init(repository: ReminderRepository) {
    self.repository = repository
  }

  /// Takes over the credential of Apple's button.
  func signInWithApple(
    idToken: String, nonce: String, fullName: PersonNameComponents?
  ) async -> Outcome {
    let credential = OAuthProvider.appleCredential(
      withIDToken: idToken, rawNonce: nonce, fullName: fullName)
    do {
      guard let user = Auth.auth().currentUser, user.isAnonymous else {
        try await Auth.auth().signIn(with: credential)
        return .signedIn
      }
      do {
        let result = try await user.link(with: credential)
        try await updateDisplayName(of: result.user, to: fullName)
        return .linked
      } catch let error as NSError {
        guard AuthErrorCode(rawValue: error.code) == .credentialAlreadyInUse,
          let updatedCredential = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey]
            as? AuthCredential
        else { throw error }
        // Apple's token can't be used twice; the error has a credential that can.
        try await signIn(with: updatedCredential, movingRemindersOf: user)
        return .merged
      }
    } catch {
      errorMessage = error.localizedDescription
      return .failed
    }
  }

  func signIn(email: String, password: String) async -> Outcome {
    do {
      try await Auth.auth().signIn(withEmail: email, password: password)
      return .signedIn
    } catch {
      errorMessage = error.localizedDescription
      return .failed
    }
  }

  private func updateDisplayName(
    of user: User, to fullName: PersonNameComponents?
  ) async throws {
    guard let fullName, user.displayName == nil else { return }
    let request = user.createProfileChangeRequest()
    request.displayName = [fullName.givenName, fullName.familyName].compactMap { $0 }
      .joined(separator: " ")
    try await request.commitChanges()
  }

  private func signIn(with credential: AuthCredential, movingRemindersOf user: User) async throws {
    // After the sign-in, the rules let no one read them who has the new account.
    let reminders = try await repository.reminders(of: user.uid)
    for reminder in reminders { try await repository.removeReminder(reminder) }
    let result = try await Auth.auth().signIn(with: credential)
    try await repository.take(reminders, for: result.user)
  }
}
