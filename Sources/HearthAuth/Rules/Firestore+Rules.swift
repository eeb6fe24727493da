public import HearthFirebase
public import HearthRules

extension Firestore {
  /// Judges later calls by security rules, as those of the user who is signed in.
  ///
  /// ```swift
  /// let database = try Firestore.configure(at: "tasks.hearth")
  /// let rules = try database.rules(text)
  /// Firestore.firestore().setRules(rules, auth: Auth.auth())
  /// ```
  ///
  /// Each call is that of the user of the moment in which it is made. Listeners go on for the next
  /// user: they are judged again when the user or the token changes, and end with
  /// `permissionDenied` if the new one may not see the results. Documents that the program reads by
  /// Hearth's own calls are not judged.
  ///
  /// - Parameters:
  ///   - rules: rules over the database of this object.
  ///   - auth: the sign-in of the user.
  public func setRules(_ rules: DatabaseRules, auth: Auth) {
    setAccess { UserRequests(rules, auth.keeper) }
  }
}
