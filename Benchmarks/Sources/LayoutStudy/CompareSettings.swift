import Workbench
import ArgumentParser

/// `settings`: LevelDB's settings under the chosen layout.
struct CompareSettings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "LevelDB's compression, block size, restart interval and write buffer.")

  @OptionGroup var options: StudyOptions

  @Option(help: "The layout under which the settings are compared.")
  var layout = Layout.numbers

  func run() throws {
    try options.withFolder { folder in
      print("## Settings, layout \(layout.rawValue), \(options.documents) documents\n")
      try compareTables(in: folder)
      try compareWriteBuffers(in: folder)
    }
  }

  private func compareTables(in folder: String) throws {
    var settings: [LevelSettings] = []
    for compresses in [true, false] {
      for blockByteCount in [4096, 2048, 1024] {
        for restartInterval in [16, 4] {
          var setting = options.settings
          setting.compresses = compresses
          setting.blockByteCount = blockByteCount
          setting.restartInterval = restartInterval
          settings.append(setting)
        }
      }
    }
    let stores = try open(settings, in: folder, label: "tables")
    var tasks = options.sampleTasks()
    var operands = Operands()
    operands.users = tasks.users
    let load = try load(
      stores, &tasks, count: options.documents, title: "W3 bulk load, 5 composites + 6 singles",
      operands: &operands)
    print(load.process.table)
    if options.compact { for store in stores { store.database.compact() } }
    print(diskTable(stores, count: options.documents, batchBytes: load.batchBytes))
    let readers = stores.map { LayoutReader($0, .cursor) }
    try checkAnswers(of: readers, operands: operands, questions: 20, seed: options.seed &+ 1)
    for workload in [Workload.q1, .q2, .q7, .q7Title] {
      print(
        try measure(
          workload, readers, operands: operands, rounds: options.rounds, queriesPerSlice: 200,
          scanLimit: options.scanLimit, seed: options.seed &+ 2
        ).table)
    }
  }

  private func compareWriteBuffers(in folder: String) throws {
    let settings = [4, 8, 16, 64].map { mebibytes in
      var setting = options.settings
      setting.writeBufferMebibytes = mebibytes
      return setting
    }
    let stores = try open(settings, in: folder, label: "buffers")
    var tasks = options.sampleTasks()
    var operands = Operands()
    // The slices are large enough that each fills the largest buffer.
    let load = try load(
      stores, &tasks, count: max(options.documents, 5 * 80_000),
      title: "W3 bulk load by write buffer", sliceSize: 80_000, operands: &operands)
    print(load.process.table, load.wall.table, separator: "\n")
  }

  private func open(
    _ settings: [LevelSettings], in folder: String, label: String
  ) throws -> [LayoutStore] {
    try settings.enumerated().map { position, setting in
      try LayoutStore(
        at: "\(folder)/\(label)-\(position)", layout: layout,
        indexes: SampleIndex.composites + SampleIndex.singles, settings: setting,
        name: setting.description)
    }
  }
}

extension Layout: ExpressibleByArgument {}
