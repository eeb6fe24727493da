/// Receives what happens at a port, on its event loops. It must not block.
package protocol PortObserver: Sendable {
  /// Called when a connection begins (1) or ends (-1).
  func noteConnections(_ change: Int)

  /// Called when a client speaks TLS to a port without a certificate.
  func noteTLS()

  /// Called at the end of each call of a method that there is.
  ///
  /// - Parameter duration: the time since its headers came.
  func noteCall(_ path: String, _ code: RPCStatus.Code, _ duration: Duration)
}

/// Observes nothing.
struct NoObserver: PortObserver {
  func noteConnections(_ change: Int) {}
  func noteTLS() {}
  func noteCall(_ path: String, _ code: RPCStatus.Code, _ duration: Duration) {}
}
