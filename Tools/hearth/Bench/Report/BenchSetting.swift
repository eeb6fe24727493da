import FoundationEssentials
import Hearth
import HearthAdminSocket

/// The place and time of a measurement.
struct BenchSetting: Codable, Sendable, Equatable {
  var machine: Machine
  /// Time of the measurement's beginning, to the second (RFC 3339).
  var date: String
  /// Path of the database's folder.
  var database: String
  var documentCount: Int
  /// Size of the database's files.
  var byteCount: Int

  /// - Parameter folder: the path of the database's folder.
  init(_ database: Database, at folder: String) throws {
    machine = .present
    date = Date.now.formatted(.iso8601)
    self.database = folder
    let statistics = try database.statistics()
    let all = Subtree(of: nil, in: try database.id()).query
    documentCount =
      try statistics.documentCount
      ?? CountCall(RunnableQuery(all)).answer(from: database).count
    byteCount = statistics.diskByteCount
  }

  /// Lines for the head of a report: the machine, and the database with the date.
  var lines: [String] {
    let memory = machine.memoryByteCount.map { ", \(Figure.bytes($0))" } ?? ""
    let processor = machine.processor.map { "\($0), " } ?? ""
    let processors = Figure.counted(machine.processorCount, "processor")
    let contents = "\(Figure.documents(documentCount)), \(Figure.bytes(byteCount))"
    return [
      "\(processor)\(processors)\(memory); \(machine.system)",
      "\(database.printable), \(contents); measured \(date)",
    ]
  }
}
