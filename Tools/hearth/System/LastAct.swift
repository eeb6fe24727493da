import Dispatch
import Synchronization

/// The last act of a command that Ctrl-C or a request to end breaks off: it removes what must not
/// stay, or says what is kept.
final class LastAct: Sendable {
  private let act = Mutex<(@Sendable () -> Void)?>(nil)

  /// Takes the signals of the process, on its first thread and before there are others. The first
  /// one is followed by the act, and ends the process as it would without it.
  init() {
    let signals = EndSignals()
    DispatchQueue(label: "hearth.signals").async { [self] in
      let number = signals.next()
      act.withLock {
        $0?()
        signals.endProcess(by: number)
      }
    }
  }

  /// Replaces the act; `nil` is none.
  func set(_ act: (@Sendable () -> Void)?) {
    self.act.withLock { $0 = act }
  }
}
