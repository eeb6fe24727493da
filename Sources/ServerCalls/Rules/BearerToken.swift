package import HearthDocumentModel

/// The token of a header `Authorization`. Nothing in it is checked.
package struct BearerToken: Sendable {
  package let text: String

  /// - Throws: `unauthenticated` for another scheme than `Bearer`.
  package init(_ authorization: String) throws(DatabaseError) {
    let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw DatabaseError(
        .unauthenticated, "The header authorization must be of the form \"Bearer TOKEN\".")
    }
    text = String(parts[1])
  }
}
