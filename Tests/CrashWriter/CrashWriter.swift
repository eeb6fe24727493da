import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthLevelDBStore
import HearthOrderedStore

/// A process that writes to a database until another process kills it.
///
/// ```
/// CrashWriter write FOLDER SEED THREADS           makes the histories of the seed, without end
/// CrashWriter build FOLDER SEED THREADS           writes, and builds several indexes beside
/// CrashWriter commit FOLDER COUNT (synced|unsynced)   sets one document per commit
/// CrashWriter open FOLDER USER                    opens as the user with that number
/// ```
///
/// It prints `open` when the database is open, and `THREAD STEP` when the step, counted from 1, has
/// been acknowledged: one line per call of the system, so that nothing waits in a buffer. An error
/// of the database is `failed: CODE: message`.
@main
struct CrashWriter {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("write", 4):
        try write(
          to: arguments[1], seed: UInt64(arguments[2]) ?? 0, threadCount: Int(arguments[3]) ?? 1)
      case ("build", 4):
        try build(
          in: arguments[1], seed: UInt64(arguments[2]) ?? 0, threadCount: Int(arguments[3]) ?? 1)
      case ("commit", 4):
        try commit(
          to: arguments[1], count: Int(arguments[2]) ?? 0, isDurable: arguments[3] == "synced")
      case ("open", 3): try open(arguments[1], asUser: UInt32(arguments[2]) ?? 0)
      default: exit(64)
      }
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }

  private static func write(to folder: String, seed: UInt64, threadCount: Int) throws {
    let engine = try Engine(LevelDBStore.open(folder: folder).store)
    let start = try WriterState(of: engine)
    say("open")
    for thread in 0..<threadCount {
      startWriter(WriterHistory(seed: seed, thread: thread, start: start)) {
        try engine.perform($0)
      }
    }
    while true { pause() }
  }

  /// Performs a thread's steps, without end.
  private static func startWriter(
    _ history: WriterHistory, _ perform: @escaping @Sendable (WriterStep) throws -> Void
  ) {
    Thread {
      var history = history
      for number in 1... {
        do {
          try perform(history.next())
        } catch {
          say("failed: \(error)")
          exit(1)
        }
        say("\(history.thread) \(number)")
      }
    }.start()
  }

  /// Writes and builds. The threads from 1 on write documents; thread 0 begins builds and drops
  /// indexes, and reports each beginning. Builds are made of many small steps, so that a kill can
  /// come between any two.
  private static func build(in folder: String, seed: UInt64, threadCount: Int) throws {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = 150
    settings.build.batchByteCount = 2048
    settings.build.stepDocumentCount = 30
    settings.build.changedDocumentCount = 20
    settings.build.dropKeyCount = 100
    settings.startWork = { Blocking.start(.side, $0) }
    let store = try LevelDBStore.open(folder: folder).store
    // The view of this engine ends here: a view that is held for long would keep all versions from
    // compaction.
    let start = try WriterState(of: Engine(store))
    let database = try Database.over(store, settings: settings)
    say("open")
    for thread in 1...threadCount {
      startWriter(WriterHistory(seed: seed, thread: thread, start: start)) { step in
        guard case .commit(let writes) = step else { return }
        _ = try database.commitRequest(writes)
      }
    }
    Thread {
      do {
        var indexes = BuilderHistory(seed: seed)
        while true { try indexes.step(in: database, say) }
      } catch {
        say("failed: \(error)")
        exit(1)
      }
    }.start()
    while true { pause() }
  }

  /// Commits documents of a size that makes a hundred fill more than one log.
  private static func commit(to folder: String, count: Int, isDurable: Bool) throws {
    var options = Database.Options()
    options.isDurable = isDurable
    let database = try Database.open(at: folder, options: options)
    say("open")
    for number in 1..<count + 1 {
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 60_000)
      try database.document("c/\(number)").setData(["bytes": .bytes(bytes)])
      say("0 \(number)")
    }
    // Ends as a killed process does, without the sync of a close.
    _exit(0)
  }

  private static func open(_ folder: String, asUser user: UInt32) throws {
    if getuid() == 0, setuid(user) != 0 {
      return say("cannot become the user \(user)")
    }
    var options = Database.Options()
    options.createsIfMissing = false
    let database = try Database.open(at: folder, options: options)
    say("open")
    try database.close()
  }

  private static func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { bytes in
      // The reader of the pipe is gone, so there is no reader for an error either.
      if unsafe Glibc.write(1, bytes.baseAddress, bytes.count) < 0 { exit(1) }
    }
  }
}

extension Engine {
  /// Makes one step, and returns when it is durable.
  package func perform(_ step: WriterStep) throws {
    let group = WriterHistory.collectionGroup
    switch step {
    case .commit(let writes): _ = try commit(writes)
    case .createIndex(let definition): try createIndex(definition)
    case .dropIndex(let definition): try dropIndex(definition)
    case .setOverride(let field, let indexes): try setOverride(group, field, indexes)
    case .removeOverride(let field): try removeOverride(group, field)
    }
  }
}
