import Foundation
import TestSupport

/// The order in which a writer wrote its logs, synced them and acknowledged its steps.
struct SyncTrace {
  enum Event: Equatable {
    case write(log: String)
    case beginSync(log: String)
    case endSync(log: String)
    case acknowledge(thread: Int)
  }

  let events: [Event]

  /// Runs a writer with the interposer before the system's calls.
  ///
  /// - Parameter read: a closure that reads the writer's lines to its end, and ends it.
  init(of arguments: [String], _ read: (RunningWriter) -> Void) throws {
    let folder = try TemporaryFolder()
    let trace = folder.path(of: "trace")
    let environment = try Interposer.environment(with: ["SYNC_TRACE": trace], in: folder)
    read(try RunningWriter(arguments, environment: environment))
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    events = text.split(separator: "\n").compactMap { Self.event(String($0)) }
  }

  private static func event(_ line: String) -> Event? {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    return switch words[0] {
    case "write": .write(log: words[1])
    case "begin": .beginSync(log: words[1])
    case "end": .endSync(log: words[1])
    // Other lines acknowledge no step.
    default: Int(words[1]).map { .acknowledge(thread: $0) }
    }
  }

  // MARK: Findings

  var acknowledgementCount: Int {
    events.count { if case .acknowledge = $0 { true } else { false } }
  }

  var logs: Set<String> {
    Set(events.compactMap { if case .write(let log) = $0 { log } else { nil } })
  }

  /// Acknowledgements, counted from 0, at which a log held bytes that no completed sync covers, or
  /// before which there was no write at all. For a writer of one thread.
  var unsyncedAcknowledgements: [Int] {
    var found: [Int] = []
    var count = 0
    var hasWritten = false
    var unsynced: Set<String> = []
    var syncing: Set<String> = []
    for event in events {
      switch event {
      case .write(let log):
        hasWritten = true
        unsynced.insert(log)
        syncing.remove(log)
      case .beginSync(let log): syncing.insert(log)
      case .endSync(let log):
        if syncing.remove(log) != nil { unsynced.remove(log) }
      case .acknowledge:
        if !hasWritten || !unsynced.isEmpty { found.append(count) }
        hasWritten = false
        count += 1
      }
    }
    return found
  }

  /// Number of acknowledgements before which no log was written and then synced since the previous
  /// one to the same thread. For a writer of several threads, whose commits may share a sync.
  var acknowledgementsWithoutSync: Int {
    var count = 0
    var lastAcknowledgement: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      guard case .acknowledge(let thread) = event else { continue }
      let since = events[(lastAcknowledgement[thread].map { $0 + 1 } ?? 0)..<index]
      lastAcknowledgement[thread] = index
      if !Self.hasSyncedWrite(since) { count += 1 }
    }
    return count
  }

  private static func hasSyncedWrite(_ events: ArraySlice<Event>) -> Bool {
    var written: Set<String> = []
    var syncing: Set<String> = []
    for event in events {
      switch event {
      case .write(let log): written.insert(log)
      case .beginSync(let log): if written.contains(log) { syncing.insert(log) }
      case .endSync(let log): if syncing.contains(log) { return true }
      case .acknowledge: break
      }
    }
    return false
  }
}
