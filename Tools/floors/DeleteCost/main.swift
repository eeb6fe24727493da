import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport

// The cost of deletes that stay deleted: LevelDB's own deletes beside the store's, which are a
// put of a dead value and a delete in a later batch. One commit updates a document and two of its
// entries. It prints a table:
//
//     Benchmarks/run deletes [commits]

let commitCount = CommandLine.arguments.dropFirst().compactMap { Int($0) }.first ?? 200_000

/// A way to delete, and how long views are held.
struct Contestant {
  let deletesPlainly: Bool
  /// Commits for which a view is held; another begins after half as many.
  let holdCount: Int
  private(set) var logByteCount = 0
  private(set) var processorSeconds = 0.0
  private(set) var mostDeadKeys = 0

  init(deletesPlainly: Bool, holdCount: Int) {
    self.deletesPlainly = deletesPlainly
    self.holdCount = holdCount
  }

  private static let documentCount = 50_000

  mutating func run() throws {
    let folder = try TemporaryFolder()
    var options = LevelDBOptions()
    options.isDurable = false
    options.anchor = [0]
    let store = try LevelDBStore.open(folder: folder.path(of: "store"), options: options).store
    var random = SplitMix64(seed: 1)
    var values = [UInt64](repeating: 0, count: Self.documentCount)
    for document in values.indices { try commit(document, &values, &random, to: store) }
    var log = LogSizes(folder: folder.path(of: "store") + "/store")
    var views: [(end: Int, snapshot: any StoreSnapshot)] = []
    let start = Self.processorSeconds()
    for number in 0..<commitCount {
      // The writer's own view, as the engine has it.
      let view = try store.makeSnapshot()
      try commit(Int(random.next() % UInt64(Self.documentCount)), &values, &random, to: store)
      if holdCount > 0, number % (holdCount / 2) == 0 { views.append((number + holdCount, view)) }
      views.removeAll { $0.end <= number }
      mostDeadKeys = max(mostDeadKeys, store.deadKeys.count)
      if number % 64 == 0 { log.look() }
    }
    views = []
    try store.close()
    processorSeconds = Self.processorSeconds() - start
    log.look()
    logByteCount = log.byteCount
  }

  private func commit(
    _ document: Int, _ values: inout [UInt64], _ random: inout SplitMix64, to store: LevelDBStore
  ) throws {
    var batch = StoreBatch()
    if values[document] != 0 {
      for index: UInt8 in 1...2 {
        let key = Self.entry(index, values[document], document)
        if deletesPlainly { batch.discard(key) } else { batch.delete(key) }
      }
    }
    values[document] = random.next() | 1
    for index: UInt8 in 1...2 {
      batch.put(Self.entry(index, values[document], document), Self.bytes(UInt64(document)))
    }
    let fields = (0..<40).flatMap { _ in Self.bytes(random.next()) }
    batch.put([3] + Self.bytes(UInt64(document)), fields)
    batch.put([0], Self.bytes(values[document]))
    try store.write(batch)
  }

  private static func entry(_ index: UInt8, _ value: UInt64, _ document: Int) -> [UInt8] {
    [index] + bytes(value) + bytes(UInt64(document))
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The bytes of all logs that a store has had, as far as they were seen.
struct LogSizes {
  let folder: String
  private var sizes: [String: Int] = [:]

  init(folder: String) {
    self.folder = folder
    look()
    first = byteCount
  }

  private var first = 0
  var byteCount: Int { sizes.values.reduce(0, +) - first }

  mutating func look() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasSuffix(".log") {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      sizes[name] = attributes?[.size] as? Int ?? sizes[name]
    }
  }
}

print("| views | deletes | log, MB | processor, s | most queued |")
print("|---|---|---:|---:|---:|")
for (name, holdCount) in [("none but the writer's", 0), ("held for 20,000 commits", 20_000)] {
  for deletesPlainly in [true, false] {
    var contestant = Contestant(deletesPlainly: deletesPlainly, holdCount: holdCount)
    try contestant.run()
    let log = String(format: "%.1f", Double(contestant.logByteCount) / 1e6)
    let seconds = String(format: "%.2f", contestant.processorSeconds)
    let way = deletesPlainly ? "LevelDB's own" : "dead value, then delete"
    print("| \(name) | \(way) | \(log) | \(seconds) | \(contestant.mostDeadKeys) |")
  }
}
