import Workbench
import ArgumentParser

/// `group-keys`: the cost of whole paths, in a collection group's key index and in its entries.
struct CompareGroupKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group-keys", abstract: "What entries that carry whole paths cost a load.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    try options.withFolder { folder in
      print("## Group keys, 5 composites, \(options.documents) documents\n")
      let stores = try GroupKeys.allCases.map { groupKeys in
        try LayoutStore(
          at: "\(folder)/\(groupKeys.rawValue)", layout: .numbers,
          indexes: SampleIndex.composites, settings: options.settings, groupKeys: groupKeys,
          name: groupKeys.rawValue)
      }
      var tasks = options.sampleTasks()
      var operands = Operands()
      let load = try load(
        stores, &tasks, count: options.documents, title: "W3 bulk load", operands: &operands)
      print(load.process.table, load.wall.table, separator: "\n")
      if options.compact { for store in stores { store.database.compact() } }
      print(diskTable(stores, count: options.documents, batchBytes: load.batchBytes))
    }
  }
}
