/// The operations on a database, under the names of their metrics and spans.
enum Operation: Int, CaseIterable, Sendable {
  case get, query, count, aggregate, list
  case commit, batchWrite, transaction, recursiveDelete
  case indexBuild, indexDrop, verify, repair, compact, sweep

  var isQuery: Bool {
    switch self {
    case .query, .count, .aggregate: true
    default: false
    }
  }

  var isRead: Bool { self == .get || self == .list || isQuery }

  var name: String {
    switch self {
    case .get: "get"
    case .query: "query"
    case .count: "count"
    case .aggregate: "aggregate"
    case .list: "list"
    case .commit: "commit"
    case .batchWrite: "batch_write"
    case .transaction: "transaction"
    case .recursiveDelete: "recursive_delete"
    case .indexBuild: "index_build"
    case .indexDrop: "index_drop"
    case .verify: "verify"
    case .repair: "repair"
    case .compact: "compact"
    case .sweep: "sweep"
    }
  }
}
