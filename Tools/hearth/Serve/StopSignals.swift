import Dispatch

/// The requests to end that a user or the system sends to the process. The first is waited for, a
/// second one ends the process at once.
final class StopSignals: Sendable {
  private let requests: AsyncStream<Void>

  /// Takes the signals of the process, on its first thread and before there are others.
  init() {
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
    self.requests = requests
    let signals = EndSignals()
    DispatchQueue(label: "hearth.signals").async {
      _ = signals.next()
      continuation.yield()
      signals.endProcess(by: signals.next())
    }
  }

  /// Returns when the first request has come.
  func untilFirst() async {
    for await _ in requests { return }
  }
}
