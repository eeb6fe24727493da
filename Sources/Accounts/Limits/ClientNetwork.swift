/// The network of a client, whose members are counted together.
enum ClientNetwork {
  /// Returns the network of an address: of IPv4 the address itself, of IPv6 its first 64 bits, of
  /// which one client has all addresses.
  ///
  /// - Parameter address: as the system writes it, such as `127.0.0.1` or `2001:db8::1`.
  static func name(of address: String) -> String {
    guard address.contains(":") else { return address }
    // The zone is the server's own name for a link.
    let text = address.prefix { $0 != "%" }
    if let last = text.split(separator: ":").last, last.contains(".") { return String(last) }
    guard let gap = text.firstRange(of: "::") else {
      return text.split(separator: ":").prefix(4).joined(separator: ":")
    }
    let (head, tail) = (
      text[..<gap.lowerBound].split(separator: ":"), text[gap.upperBound...].split(separator: ":")
    )
    let zeros = [Substring](repeating: "0", count: max(0, 8 - head.count - tail.count))
    return (head + zeros + tail).prefix(4).joined(separator: ":")
  }
}
