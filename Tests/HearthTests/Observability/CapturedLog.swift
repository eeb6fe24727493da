import Logging
import HearthOrderedStore

/// A log that keeps its messages.
final class CapturedLog: Sendable {
  struct Entry: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: [String: String]
  }

  private let captured = Lock<[Entry]>([])

  var entries: [Entry] { captured.withLock { $0 } }

  func logger(_ level: Logger.Level = .trace) -> Logger {
    Logger(label: "test") { _ in Handler(log: self, logLevel: level) }
  }

  private struct Handler: LogHandler {
    let log: CapturedLog
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
      log.captured.withLock {
        $0.append(
          Entry(level: event.level, message: event.message.description, metadata: metadata))
      }
    }
  }
}
