import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport

// Imports documents through the engine, then writes the very same batches straight into LevelDB,
// and prints both: the cost of the engine above its store. Run it in release:
//
//     swift run -c release ImportFloor [documents] [--no-sync]

/// An observer that keeps every batch that is written.
final class BatchRecorder: StoreObserver {
  private let recorded = Lock<[StoreBatch]>([])

  var batches: [StoreBatch] { recorded.withLock { $0 } }

  func willPerform(_ operation: StoreOperation) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    recorded.withLock { $0.append(batch) }
  }
  func didRead(byteCount: Int) {}
}

/// Returns a write of a task of about 400 bytes, as the benchmarks define it.
func task(_ number: Int) -> Write {
  var random = SplitMix64(seed: UInt64(number))
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  func text(_ count: Int) -> String {
    String(decoding: (0..<count).map { _ in random.pick(alphabet) }, as: UTF8.self)
  }
  let fields: MapValue = [
    "title": .string(text(40)), "priority": .integer(.random(in: 0...2, using: &random)),
    "completed": .boolean(random.oneIn(2)), "createdTime": .integer(Int64(1_700_000_000 + number)),
    "userId": .string("user\(Int.random(in: 0..<1000, using: &random))"),
    "listId": .string("list\(Int.random(in: 0..<5000, using: &random))"),
    "tags": .array((0..<Int.random(in: 0...3, using: &random)).map { _ in .string(text(6)) }),
    "body": .string(text(220)),
  ]
  return .set(ResourcePath(unchecked: ["tasks", text(20)]), fields)
}

func open(_ folder: TemporaryFolder, isDurable: Bool) throws -> LevelDBStore {
  var options = LevelDBOptions()
  options.isDurable = isDurable
  return try LevelDBStore.open(folder: folder.path(of: "db"), options: options).store
}

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.compactMap { Int($0) }.first ?? 100_000
let isDurable = !arguments.contains("--no-sync")
let clock = ContinuousClock()

let recorder = BatchRecorder()
let (engineFolder, rawFolder) = (try TemporaryFolder(), try TemporaryFolder())
let store = try open(engineFolder, isDurable: isDurable)
let engine = try Engine(ObservedStore(store, observer: recorder))
let batches = stride(from: 0, to: count, by: 500).map { start in
  (start..<min(start + 500, count)).map(task)
}
var slowest = Duration.zero
let imported = try clock.measure {
  for batch in batches {
    slowest = max(slowest, try clock.measure { _ = try engine.commit(batch) })
  }
}
let raw = try open(rawFolder, isDurable: isDurable)
let written = try clock.measure { for batch in recorder.batches { try raw.write(batch) } }

let byteCount = recorder.batches.reduce(0) { $0 + $1.byteCount }
let entryCount = recorder.batches.reduce(0) { $0 + $1.count }
func rate(_ duration: Duration) -> Int { Int(Double(count) / (duration / .seconds(1))) }
print("\(count) documents, \(entryCount) keys, \(byteCount) bytes, sync \(isDurable)")
print("engine  \(imported), \(rate(imported)) documents/s, slowest batch \(slowest)")
print("LevelDB \(written), \(rate(written)) documents/s with the same batches")
print("ratio   \((imported / written * 100).rounded() / 100)")
try engine.close()
try raw.close()
