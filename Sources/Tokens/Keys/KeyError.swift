/// The reason for which a text gives no keys.
package enum KeyError: Error, Equatable {
  /// It has no private key in PEM form.
  case noKey
  /// A key is none of RSA with at least 2048 bits.
  case unusable

  static let shortestKey = 2048
}

extension KeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noKey: "there is no private key in PEM form"
    case .unusable: "a key is none of RSA with at least \(KeyError.shortestKey) bits"
    }
  }
}
