/// The addresses that only this machine reaches.
enum Loopback {
  /// Whether a host, in lower case, is an address of loopback or the name of one.
  static func isName(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || Authority.isAddress(host) && host.hasPrefix("127.")
  }
}
