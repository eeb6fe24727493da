import HearthServerTransport

/// The host that a server listens at, as its owner wrote it.
struct ServerAddress {
  /// The host in lower case, without brackets.
  private let host: String

  init(_ host: String) {
    let host = host.lowercased()
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    self.host = isBracketed ? String(host.dropFirst().dropLast()) : host
  }

  var isLoopback: Bool { Loopback.isName(host) }

  /// The addresses to listen at. Both of loopback are meant by each of its usual names: a client
  /// may try either first. A machine without IPv6 has only one of them.
  var listening: PortAddresses {
    switch host {
    case "localhost", "127.0.0.1": PortAddresses(all: ["127.0.0.1"], available: ["::1"])
    case "::1": PortAddresses(all: ["::1"], available: ["127.0.0.1"])
    default: PortAddresses(all: [host])
    }
  }

  /// The names by which clients may call the server, beside those of loopback.
  var names: Set<String> { [host] }

  /// Whether all addresses of the machine are meant.
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}
