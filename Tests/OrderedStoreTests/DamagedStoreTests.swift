import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// The law of salvaging, below documents: what is not in doubt is what the store held, and what is
/// not there lies where something is damaged.
@Suite struct DamagedStoreTests {
  private let folder: TemporaryFolder
  private let seed: UInt64
  private static let keyCount = 3000
  private static let caseCount = GeneratedCases.count(unlessTold: 60)

  init() throws {
    folder = try TemporaryFolder()
    seed = GeneratedCases.seed(for: "DamagedStoreTests", count: Self.caseCount)
  }

  private var path: String { folder.path(of: "whole") }

  private static func key(_ number: Int) -> [UInt8] {
    // The keys differ in length, and some are the beginning of others.
    Array("k\(number % 50)\(number % 3 == 0 ? "" : "/\(number)")".utf8)
  }

  /// Writes a store with several levels, and a log.
  ///
  /// - Parameter lastBatchCount: the number of batches to write after the last opening.
  private func write(lastBatchCount: Int = 12) throws -> [[UInt8]: [UInt8]] {
    var generator = SplitMix64(seed: seed)
    var model: [[UInt8]: [UInt8]] = [:]
    var options = LevelDBOptions()
    options.isDurable = false
    options.writeBufferByteCount = 64 << 10
    options.blockByteCount = 1024
    for session in 0..<4 {
      let store = try LevelDBStore.open(folder: path, options: options).store
      for _ in 0..<(session == 3 ? lastBatchCount : 150) {
        var batch = StoreBatch()
        for _ in 0..<15 {
          let key = Self.key(Int.random(in: 0..<Self.keyCount, using: &generator))
          if generator.oneIn(5) {
            batch.delete(key)
            model[key] = nil
          } else {
            // A dozen batches without a large value lie in one block of the log.
            let isLarge = session < 3 && generator.oneIn(100)
            let count = isLarge ? 4000 : Int.random(in: 1..<120, using: &generator)
            let value = (0..<count).map { _ in UInt8.random(in: 0..<20, using: &generator) }
            batch.put(key, value)
            model[key] = value
          }
        }
        try store.write(batch)
      }
      if session == 0 { try store.compact(from: nil, to: nil) }
      try store.close()
    }
    return model
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/store") {
      files[name] = [UInt8](
        try Data(contentsOf: URL(fileURLWithPath: path + "/store/" + name)))
    }
    return files
  }

  private func copy(_ files: [String: [UInt8]]) throws -> String {
    let copy = folder.path(of: "copy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      atPath: copy + "/store", withIntermediateDirectories: true)
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: copy + "/store/" + name))
    }
    return copy
  }

  private func versions(
    _ store: DamagedStore, from lower: [UInt8] = [], to upper: [UInt8] = [0xff]
  ) throws -> [[UInt8]: SalvagedVersion] {
    var versions: [[UInt8]: SalvagedVersion] = [:]
    var last: [UInt8]?
    try store.forEachVersion(from: lower, to: upper) { version in
      #expect(last?.precedes(version.key) ?? true)
      last = version.key
      versions[version.key] = version
      return true
    }
    return versions
  }

  @Test func readsAWholeStoreAsLevelDBDoes() throws {
    let model = try write()
    let store = try DamagedStore(folder: try copy(files()))
    // A batch also deletes what earlier ones gave dead values.
    #expect(store.damage.isEmpty && (180..<360).contains(store.readableLogOperationCount))
    let versions = try versions(store)
    #expect(versions.compactMapValues(\.value) == model)
    #expect(versions.values.allSatisfy { $0.doubt == nil })
    // Ranges and single keys tell the same.
    let part = try self.versions(store, from: Array("k2".utf8), to: Array("k3".utf8))
    #expect(!part.isEmpty)
    #expect(
      part.mapValues(\.sequence)
        == versions.filter { $0.key.starts(with: Array("k2".utf8)) }.mapValues(\.sequence))
    for number in stride(from: 0, to: Self.keyCount, by: 40) {
      #expect(try store.newestVersion(of: Self.key(number))?.value == model[Self.key(number)])
    }
  }

  @Test func vouchesOnlyForCertainDocuments() throws {
    let model = try write()
    let files = try files()
    var generator = SplitMix64(seed: seed)
    var doubtCount = 0
    var missingCount = 0
    for _ in 0..<Self.caseCount {
      var damaged = files
      var words: [String] = []
      for _ in 0..<Int.random(in: 1..<4, using: &generator) {
        words.append(try damage(&damaged, &generator))
      }
      let copy = try copy(damaged)
      let counts = try expectVouched(DamagedStore(folder: copy), model, "\(words)")
      doubtCount += counts.doubt
      missingCount += counts.missing
      try FileManager.default.removeItem(atPath: copy)
    }
    // A few cases may all be harmless.
    if Self.caseCount >= 60 { #expect(doubtCount > 0 && missingCount > 0) }
  }

  /// Expects that what differs from the model is in doubt, and that what is missing is covered by
  /// damage.
  private func expectVouched(
    _ store: DamagedStore, _ model: [[UInt8]: [UInt8]], _ words: String
  ) throws -> (doubt: Int, missing: Int) {
    let versions = try versions(store)
    for (key, version) in versions where version.doubt == nil {
      #expect(version.value == model[key], "\(words): \(String(decoding: key, as: UTF8.self))")
    }
    let missing = model.keys.filter { versions[$0] == nil }
    for key in missing {
      let isCovered = store.damage.contains { $0.touches(from: key, to: key + [0]) }
      #expect(isCovered, "\(words): \(String(decoding: key, as: UTF8.self))")
    }
    return (versions.values.count { $0.doubt != nil }, missing.count)
  }

  /// A MANIFEST whose end is lost lists tables that are gone, and not those in their place.
  @Test func distrustsAManifestThatEndsTooEarly() throws {
    let model = try write(lastBatchCount: 500)
    let files = try files()
    let name = try #require(files.keys.first { $0.hasPrefix("MANIFEST-") })
    let bytes = try #require(files[name])
    let ends = LoggedRecords.ends(of: bytes)
    try #require(ends.count > 4 && ends.last == bytes.count)
    var cuts = Array(ends.dropLast())
    for (start, end) in zip(ends, ends.dropFirst()).suffix(3) {
      cuts += [start + 1, start + 7, (start + end) / 2, end - 1]
    }
    var distrustedCount = 0
    for cut in cuts {
      let copy = try copy(files.merging([name: Array(bytes[..<cut])]) { $1 })
      let store = try DamagedStore(folder: copy)
      let counts = try expectVouched(store, model, "\(name) ends at byte \(cut)")
      // All tables are there, so nothing is missing; but only the whole list vouches for that.
      #expect(counts.missing == 0, "\(name) ends at byte \(cut)")
      if !store.damage.isEmpty { distrustedCount += 1 }
      // Without the edit that names the log, nothing is known.
      if cut < ends[1] { #expect(!store.damage.isEmpty, "\(name) ends at byte \(cut)") }
    }
    #expect(distrustedCount > ends.count / 2)
  }

  /// Only the last log can have been in the middle of a write.
  @Test func anEarlierLogThatWasCutShortIsALoss() throws {
    let model = try write()
    var files = try files()
    let name = try #require(files.keys.first { $0.hasSuffix(".log") })
    let bytes = try #require(files[name])
    let ends = LoggedRecords.ends(of: bytes)
    try #require(ends.count > 4 && bytes.count < 32_768)
    let later = "999999.log"
    files[name] = Array(bytes[..<(ends[2] - 3)])
    // What follows can't be read, or is all there but for the batch that was cut short.
    for rest in [[], Array(bytes[ends[3]..<ends[3] + 9]), Array(bytes[ends[2]...])] {
      files[later] = rest
      let store = try DamagedStore(folder: copy(files))
      #expect(store.damage.contains { $0.upper == nil }, "\(rest.count) bytes")
      let counts = try expectVouched(store, model, "\(rest.count) bytes behind a torn end")
      #expect(counts.doubt > 0)
    }
    files[later] = nil
    #expect(try DamagedStore(folder: copy(files)).damage.allSatisfy { $0.upper == [] })
  }

  /// Damages one file, and returns a description of the damage. A table is removed only if another
  /// one is left; the number of tables depends on LevelDB's thread.
  private func damage(
    _ files: inout [String: [UInt8]], _ generator: inout SplitMix64
  ) throws -> String {
    let names = files.keys.filter { $0.hasSuffix(".ldb") }.sorted()
    if generator.oneIn(12) {
      // The damage isn't at the end of the log, which would be a write that was cut short.
      let name = try #require(files.keys.first { $0.hasSuffix(".log") })
      let count = files[name]?.count ?? 0
      let offset = Int.random(in: 0..<max(1, count * 3 / 4), using: &generator)
      files[name]?[offset] ^= 0x10
      return "\(name) at byte \(offset)"
    }
    let name = try #require(names.randomElement(using: &generator))
    let count = files[name]?.count ?? 0
    guard count > 0 else { return "" }
    let offset = Int.random(in: 0..<count, using: &generator)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0 where names.count > 1:
      files[name] = nil
      return "\(name) missing"
    case 1:
      files[name]?.removeLast(count - offset)
      return "\(name) ends at byte \(offset)"
    case 2:
      let end = min(count, offset + 3000)
      files[name]?.replaceSubrange(offset..<end, with: [UInt8](repeating: 0, count: end - offset))
      return "\(name) zero in \(offset)..<\(end)"
    case 3:
      files[name]?[count - 1] ^= 1
      files[name]?[offset] ^= 1
      return "\(name) at its end and at byte \(offset)"
    default:
      files[name]?[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      return "\(name) at byte \(offset)"
    }
  }
}
