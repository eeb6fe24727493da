import Dispatch

/// The requests to end that a user or the system sends to the process. The first is waited for, a
/// second one ends the process at once.
final class StopSignals {
  private let requests: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
    self.requests = requests
    sources = EndSignal.allCases.map { signal in
      signal.setEndsProcess(false)
      let signalSource = DispatchSource.makeSignalSource(signal: signal.number)
      signalSource.setEventHandler {
        for signal in EndSignal.allCases { signal.setEndsProcess(true) }
        continuation.yield()
      }
      signalSource.resume()
      return signalSource
    }
  }

  /// Returns when the first request has come.
  func untilFirst() async {
    for await _ in requests { return }
  }
}
