package import HearthDocumentModel

// A page token: base64url without padding of
//
//   checksum   8 bytes little-endian: FNV-1a of the listing's description and the position
//   position   the place after which the next page begins, in the listing's own form

/// The position at which the next page of a listing begins, as text that a caller hands back
/// (§7.5).
///
/// The checksum ties it to its listing. A token of another listing, or an invented one, is refused.
/// It doesn't protect against a forged token, and needn't: the caller can read all that a token
/// names.
package struct PageToken {
  /// The place after which the next page begins, in the listing's own form.
  package let position: [UInt8]

  package init(position: [UInt8]) {
    self.position = position
  }

  /// - Parameter listing: a description of the listed items and their order.
  /// - Throws: `invalidArgument` for a text that is no token of that listing.
  package init(_ text: String, of listing: String) throws(DatabaseError) {
    guard let bytes = Base64.bytes(ofURLText: text), bytes.count >= 8 else {
      throw PageToken.refusal
    }
    position = Array(bytes[8...])
    guard PageToken.checksum(listing, position) == Array(bytes[..<8]) else {
      throw PageToken.refusal
    }
  }

  /// Returns the token as text, tied to the listing of that description.
  package func text(of listing: String) -> String {
    Base64.text(of: PageToken.checksum(listing, position) + position, .url)
  }

  /// The error for a text that is no token of its listing.
  package static let refusal = DatabaseError(.invalidArgument, "invalid page token")

  private static func checksum(_ listing: String, _ position: [UInt8]) -> [UInt8] {
    var hash = StableHash()
    hash.combine((Array(listing.utf8) + [0] + position).span.bytes)
    return (0..<8).map { UInt8(truncatingIfNeeded: hash.value >> (8 * $0)) }
  }
}

extension Int {
  /// Returns the number of results on a page, which is 300 for a page size of 0.
  ///
  /// - Throws: `invalidArgument` with production's text for a negative one.
  func checkedPageSize() throws(DatabaseError) -> Int {
    guard self >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    return self == 0 ? 300 : self
  }
}
