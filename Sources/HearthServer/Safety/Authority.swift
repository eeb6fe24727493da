import HearthServerTransport

/// A host, perhaps with a port, as headers write them.
struct Authority {
  /// The name or address in lower case; an address of IPv6 without its brackets.
  let host: String

  /// - Returns: `nil` for a text of another form.
  init?(_ text: String) {
    var rest = text.lowercased()[...]
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      host = String(rest.prefix { $0 != ":" })
      rest = rest.dropFirst(host.count)
    }
    let digits = rest.dropFirst()
    guard !host.isEmpty,
      rest.isEmpty || rest.first == ":" && !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    else { return nil }
  }

  /// Whether a host is an address and no name.
  static func isAddress(_ host: String) -> Bool {
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension HTTPRequest {
  /// Returns the origin that the request is sent to; `nil` without a host.
  ///
  /// - Parameter isSecure: whether the port speaks TLS alone.
  func ownOrigin(isSecure: Bool) -> String? {
    header("host").map { "\(isSecure ? "https" : "http")://\($0)" }
  }
}
