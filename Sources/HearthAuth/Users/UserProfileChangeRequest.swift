public import Foundation
import HearthFirestoreJSON

/// A change of a user's name and photo, which ``commitChanges()`` makes.
public final class UserProfileChangeRequest {
  private let user: User
  private var changes: [String: String?] = [:]

  init(_ user: User) { self.user = user }

  /// The new name; `nil` removes it.
  public var displayName: String? {
    get { changes["displayName"] ?? user.displayName }
    set { changes.updateValue(newValue, forKey: "displayName") }
  }

  /// The new address of the photo; `nil` removes it.
  public var photoURL: URL? {
    get {
      guard let text = changes["photoUrl"] else { return user.photoURL }
      return text.flatMap { URL(string: $0) }
    }
    set { changes.updateValue(newValue?.absoluteString, forKey: "photoUrl") }
  }

  /// Makes the changes. Without any, nothing is asked of the accounts.
  public nonisolated(nonsending) func commitChanges() async throws {
    guard !changes.isEmpty else { return }
    try await user.update(members)
  }

  /// Does the same, and calls `completion` then.
  public func commitChanges(completion: (((any Error)?) -> Void)? = nil) {
    guard !changes.isEmpty else {
      if let completion {
        user.keeper.delivery.hand((), to: Handler { completion(nil) })
      }
      return
    }
    user.update(members, completion)
  }

  private var members: [(String, JSONValue)] {
    let attributes = ["displayName": "DISPLAY_NAME", "photoUrl": "PHOTO_URL"]
    var members: [(String, JSONValue)] = []
    var removed: [JSONValue] = []
    for (name, text) in changes.sorted(by: { $0.key < $1.key }) {
      if let text, !text.isEmpty {
        members.append((name, .string(text)))
      } else if let attribute = attributes[name] {
        removed.append(.string(attribute))
      }
    }
    if !removed.isEmpty { members.append(("deleteAttribute", .array(removed))) }
    return members
  }
}

extension User {
  /// Returns an empty change of the name and the photo.
  public func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(self)
  }
}
