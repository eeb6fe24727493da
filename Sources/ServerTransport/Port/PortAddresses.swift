import Glibc

/// The addresses at which a port listens, all with the same number.
package struct PortAddresses: Sendable {
  /// The addresses that have to be there.
  package let all: [String]
  /// The addresses that may be missing on a machine.
  package let available: [String]

  package init(all: [String], available: [String] = []) {
    self.all = all
    self.available = available
  }
}

/// The reason why a port can't listen at an address.
package struct PortFailure: Error, CustomStringConvertible {
  private let address: String
  private let number: Int
  private let reason: String
  /// Whether something else listens there.
  package let isInUse: Bool

  /// - Parameters:
  ///   - code: the number of the system's error; `nil` if it is no error of the system's.
  ///   - text: the error's own words.
  init(at address: String, number: Int, code: Int32?, text: String) {
    self.address = address
    self.number = number
    reason = code.map { String(cString: strerror($0)) } ?? text
    isInUse = code == EADDRINUSE
  }

  package var description: String {
    let host = address.contains(":") ? "[\(address)]" : address
    return "The server can't listen at \(host):\(number): \(reason)."
  }
}
