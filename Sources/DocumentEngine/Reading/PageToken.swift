import DocumentModel

// A page token: base64url without padding of
//
//   checksum   8 bytes little-endian: FNV-1a of the listing's description and the position
//   position   what the next page begins behind, in the listing's own form

/// Where the next page of a listing begins, as text that a caller hands back (§7.5).
///
/// The checksum binds it to its listing: a token of another one, or made up, is refused. It is no
/// protection against somebody who means to forge one, and need not be: what it names can be read
/// anyway.
struct PageToken {
  let position: [UInt8]

  init(position: [UInt8]) {
    self.position = position
  }

  /// - Parameter listing: describes what is listed and in which order.
  /// - Throws: `invalidArgument` for a text that is no token of that listing.
  init(_ text: String, of listing: String) throws(DatabaseError) {
    guard let bytes = Base64.bytes(ofURLText: text), bytes.count >= 8 else {
      throw PageToken.refusal
    }
    position = Array(bytes[8...])
    guard PageToken.checksum(listing, position) == Array(bytes[..<8]) else {
      throw PageToken.refusal
    }
  }

  func text(of listing: String) -> String {
    Base64.text(of: PageToken.checksum(listing, position) + position, .url)
  }

  static let refusal = DatabaseError(.invalidArgument, "invalid page token")

  private static func checksum(_ listing: String, _ position: [UInt8]) -> [UInt8] {
    var hash = StableHash()
    hash.combine((Array(listing.utf8) + [0] + position).span.bytes)
    return (0..<8).map { UInt8(truncatingIfNeeded: hash.value >> (8 * $0)) }
  }
}

extension Int {
  /// The number of results on a page: as asked for, and 300 where nothing was.
  ///
  /// - Throws: `invalidArgument` with production's text for a negative one.
  func checkedPageSize() throws(DatabaseError) -> Int {
    guard self >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    return self == 0 ? 300 : self
  }
}
