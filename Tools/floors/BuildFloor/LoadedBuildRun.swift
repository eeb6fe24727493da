import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthOrderedStore
import TestSupport

/// A run that builds an index beside writers and readers, and measures their waiting times.
struct LoadedBuildRun {
  private let options: BuildFloorOptions

  init(_ options: BuildFloorOptions) {
    self.options = options
  }

  func run() throws {
    let folder = try TemporaryFolder()
    let tasks = try TaskDatabase(in: folder, documentCount: options.documentCount)
    let database = try Database.over(tasks.store)
    print(
      "\(options.documentCount) documents; 4 writers with \(Int(options.writeRate)) commits a "
        + "second together, 4 readers with \(Int(options.readRate)) reads, half gets, half pages "
        + "of 20; latencies from when each was due")
    let load = ApplicationLoad(database, tasks, options)
    load.start()
    defer { load.stop() }
    sleep(5)
    load.takeFigures()
    sleep(UInt32(options.seconds))
    print("without a build           \(load.takeFigures())")
    let full = try build(database, nil)
    print("with a build    \(text(full))  \(load.takeFigures())")
    let online = try comparable(database, tasks, load)
    try database.indexes.drop(TaskDatabase.byPriority)
    load.start()
    sleep(5)
    load.takeFigures()
    let pace = BuildPace(
      maximumLatency: .microseconds(Int64(options.maximumLatencyMilliseconds * 1000)))
    let throttled = try build(database, pace)
    print(
      "with one that gives way   \(text(throttled))  at \(options.maximumLatencyMilliseconds) ms  "
        + "\(load.takeFigures())")
    load.stop()
    try compare(database, tasks, online)
  }

  private func build(_ database: Database, _ pace: BuildPace?) throws -> Duration {
    try ContinuousClock().measure {
      for build in try database.indexes.begin([TaskDatabase.byPriority], pace: pace) {
        try build.wait()
      }
    }
  }

  /// Compares the entries of the index once all writers have ended.
  private func comparable(
    _ database: Database, _ tasks: TaskDatabase, _ load: ApplicationLoad
  ) throws -> Bool {
    load.stop()
    return try isAsBuiltAtRest(database, tasks)
  }

  /// Compares the entries with those of a build at rest.
  private func isAsBuiltAtRest(_ database: Database, _ tasks: TaskDatabase) throws -> Bool {
    let online = try tasks.entries(of: TaskDatabase.byPriority, in: Engine(tasks.store).catalog())
    try database.indexes.drop(TaskDatabase.byPriority)
    try database.indexes.create(TaskDatabase.byPriority)
    let offline = try tasks.entries(of: TaskDatabase.byPriority, in: Engine(tasks.store).catalog())
    print(
      "  entries, \(online.count) bytes, byte-identical to a build at rest: \(online == offline)")
    return online == offline
  }

  private func compare(
    _ database: Database, _ tasks: TaskDatabase, _ wasEqual: Bool
  ) throws {
    let isEqual = try isAsBuiltAtRest(database, tasks)
    let report = try database.verify()
    print("  verified: \(report.entryCount) entries, \(report.problemCount) differences")
    guard wasEqual, isEqual, report.isClean else { exit(1) }
  }
}

extension Engine {
  fileprivate func catalog() throws -> Catalog { try readView().catalog }
}
