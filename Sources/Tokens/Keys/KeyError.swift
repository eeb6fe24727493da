/// The reason for which a text gives no keys.
package enum KeyError: Error, Equatable {
  /// It has no private key in PEM form.
  case noKey
  /// A key is none of RSA with at least 2048 bits.
  case unusable
  /// It is no set of public keys, or none of them can be used.
  case noKeySet

  static let shortestKey = 2048
}

extension KeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noKey: "there is no private key in PEM form"
    case .unusable: "a key is none of RSA with at least \(KeyError.shortestKey) bits"
    case .noKeySet:
      "there is no set of keys of the form {\"keys\": […]} with one of RSA for signatures"
    }
  }
}
