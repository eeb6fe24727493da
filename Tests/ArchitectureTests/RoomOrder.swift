import SourceStructure

/// The rooms of a target in order. Files may refer only to rooms further left and to their own.
struct RoomOrder {
  var target: String
  var rooms: [String]

  /// Targets whose rooms have an order.
  static let all = [
    RoomOrder(
      target: "LevelDBStore",
      rooms: ["Folder", "Files", "Deletes", "Store", "Opening", "ReadOnly", "Salvage"]),
    RoomOrder(
      target: "DocumentModel", rooms: [SourceTree.noRoom, "Bytes", "Paths", "Values", "Writes"]),
    RoomOrder(
      target: "StorageFormat", rooms: ["Bytes", "Catalogue", "Records", "Columns", "Keys"]),
    RoomOrder(
      target: "QueryPlanning",
      rooms: [
        "Language", "NormalForm", "Indexes", "Refusals", "Planning", "Matching", "IndexFiles",
      ]),
    RoomOrder(
      target: "SecurityRules",
      rooms: [
        "Values", "Patterns", "Syntax", "Checks", "Program", "Requests", "Matching", "Queries",
        "Evaluation", "Decisions", "Coverage",
      ]),
    RoomOrder(
      target: "DocumentEngine",
      rooms: [
        "Environment", "Catalogue", "Usage", "Entries", "Caches", "Views", "Documents", "Scans",
        "Queries", "Listings", "Kept", "Locks", "Commits", "Publishing", "Transactions",
        "Listening", SourceTree.noRoom,
      ]),
    RoomOrder(
      target: "EngineUpkeep",
      rooms: [
        "Definitions", "Compaction", "Builds", "Counts", "TimesToLive", "Indexes", "Verification",
        "Usage", "Salvage", "Warming", SourceTree.noRoom,
      ]),
    RoomOrder(
      target: "Hearth",
      rooms: [
        SourceTree.noRoom, "Observability", "Background", "Database", "Documents", "Queries",
        "Writing", "Coding", "Listening", "Transactions", "Typed", "Rows", "Indexes", "Upkeep",
        "AdminCalls", "Opening",
      ]),
    RoomOrder(
      target: "HearthRules", rooms: [SourceTree.noRoom, "Judging", "Users", "Listening"]),
    RoomOrder(
      target: "HearthFirebase",
      rooms: [
        SourceTree.noRoom, "Settings", "Delivery", "Database", "Values", "Documents", "Queries",
        "Writing", "Coding", "Transactions", "Listening", "Publishers",
      ]),
    RoomOrder(target: "Tokens", rooms: ["Secrets", "Passwords", "Keys", "Issuers"]),
    RoomOrder(
      target: "Accounts",
      rooms: [
        "Failures", "Messages", "Records", "Store", "Limits", "Providers", "Modes", "Sessions",
        "Codes", "Administration", "Flows", "Emulator", "Service",
      ]),
    RoomOrder(
      target: "HearthAuth",
      rooms: [
        SourceTree.noRoom, "Credentials", "Errors", "Exchange", "Sessions", "Flows", "Users",
        "SignIn", "Rules",
      ]),
    RoomOrder(
      target: "ServerTransport", rooms: ["Limits", "Threads", "Calls", "HTTP", "Port", "Fetching"]),
    RoomOrder(
      target: "ServerCalls",
      rooms: [
        "Names", "Errors", "Messages", "Rules", "Databases", "Transactions", "Documents",
        "Queries", "Writes", "Listening", "Administration",
      ]),
    RoomOrder(
      target: "HearthServer",
      rooms: [
        "Addresses", "JSON", "Metrics", "Requests", "Services", "Health", "Reflection", "REST",
        "Administration", "Emulator", "Safety", "Databases", "Configuration", "Inspection", "Mail",
        "Accounts", "WebChannel", "Console", "HTTP", "Rules",
        SourceTree.noRoom,
      ]),
    RoomOrder(
      target: "hearth",
      rooms: [
        "System", "Failures", "Input", "Output", "Database", "Documents", "Import", "Indexes",
        "Queries", "TimesToLive", "Upkeep", "Rules", "Bench", "Serve", "Shell", "Main",
      ]),
  ]

  func violations(in structure: TargetStructure) -> [Violation] {
    let strays = structure.rooms.filter { !rooms.contains($0.name) }.map {
      Violation(path: target, message: "\($0.name) has no place in the row of rooms")
    }
    return strays
      + structure.arrows.compactMap { arrow in
        guard let from = rooms.firstIndex(of: arrow.from), let to = rooms.firstIndex(of: arrow.to),
          from < to
        else { return nil }
        return Violation(
          path: target,
          message: "\(arrow.from) refers to \(arrow.to), which stands to its right, "
            + "\(arrow.typeCount + arrow.memberCount) times")
      }
  }
}
