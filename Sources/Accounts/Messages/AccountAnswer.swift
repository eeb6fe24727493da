package import HearthFirestoreJSON

/// An answer to a request of sign-in.
package struct AccountAnswer: Sendable {
  /// The status of HTTP.
  package let status: Int
  /// The body.
  package let json: JSONValue
  /// The address that the client is sent to; `nil` for none.
  package let location: String?
  /// Seconds for which caches may hold the answer; 0 for none.
  package let cacheTime: Int

  package init(
    _ status: Int = 200, _ json: JSONValue, location: String? = nil, cacheTime: Int = 0
  ) {
    self.status = status
    self.json = json
    self.location = location
    self.cacheTime = cacheTime
  }

  /// Makes an answer with the kind of its message, such as `SignupNewUserResponse`.
  init(kind: String, _ members: [(String, JSONValue)]) {
    self.init(200, .object([("kind", .string("identitytoolkit#\(kind)"))] + members))
  }
}

extension [(String, JSONValue)] {
  /// Appends a member, unless there is no value.
  mutating func append(_ name: String, _ text: String?) {
    if let text { append((name, .string(text))) }
  }
}
