/// A method of a service, as the port calls it.
package struct RPCMethod: Sendable {
  /// The number of messages that a call's client sends.
  package enum Requests: Sendable {
    /// One. The handler begins when it is there.
    case one
    /// Any number. The handler begins with the call, and takes them by ``RPCCall/next()``.
    case many
  }

  package let requests: Requests
  /// The largest message that the method takes; `nil` for the port's limit.
  package let messageByteCount: Int?
  /// Answers a call. It runs on a thread that may block for a read of the disk; for longer it must
  /// suspend. A thrown ``RPCStatus`` ends the call with it; any other error is `internal`.
  package let handle: @Sendable (RPCCall) async throws -> Void

  package init(
    _ requests: Requests, messageByteCount: Int? = nil,
    handle: @escaping @Sendable (RPCCall) async throws -> Void
  ) {
    self.requests = requests
    self.messageByteCount = messageByteCount
    self.handle = handle
  }
}

/// Refuses a call by its headers, whose names are in lower case, with the status that it throws.
package typealias RPCAdmission =
  @Sendable (
    _ header: (_ name: String) -> String?
  ) throws(RPCStatus) -> Void

/// The methods by the paths of their calls: `/package.Service/Method`.
package typealias RPCMethods = @Sendable (_ path: String) -> RPCMethod?
