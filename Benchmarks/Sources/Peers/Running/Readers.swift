import Hearth
import Workbench

/// The open stores, and the choice of stores for each workload.
struct Readers {
  /// Readers of the stores that were loaded, one for each, the baseline first.
  let bases: [any Contestant]
  private let hearth: HearthContestant
  private let others: [Engine: any Contestant]

  init(_ suite: Suite, in path: String) throws {
    bases = try suite.open(Engine.readers, in: path, .all)
    guard let hearth = bases.last as? HearthContestant else {
      throw StudyError("Hearth is not the last of the readers")
    }
    self.hearth = hearth
    var others: [Engine: any Contestant] = [:]
    for engine in Engine.copyReaders {
      others[engine] = try suite.open([engine], in: path, .all).first
    }
    self.others = others
  }

  /// All readers, to compare their answers.
  var all: [any Contestant] {
    bases + [
      HearthContestant(readingRowsOf: hearth), HearthContestant(decodingAllOf: hearth),
      HearthContestant(decodingStructsOf: hearth),
    ] + reading(with: Engine.copyReaders)
  }

  private func reading(with engines: [Engine]) -> [any Contestant] {
    engines.compactMap { others[$0] }
  }

  /// Returns the readers that a workload compares, the baseline first.
  func contestants(of workload: Workload) -> [any Contestant] {
    let allFields = HearthContestant(decodingAllOf: hearth)
    let rows = HearthContestant(readingRowsOf: hearth)
    return switch workload {
    case .q1:
      bases + [allFields] + reading(with: [.sqliteJSONExclusive, .hearthNames, .hearthCold])
    case .q2, .q3:
      bases + [rows, allFields]
        + reading(with: [.sqliteJSONExclusive, .hearthCold, .hearthCovering])
    case .q2Struct:
      bases.filter { $0.name == Engine.records.rawValue }
        + [bases[0], HearthContestant(decodingStructsOf: hearth)]
        + reading(with: [.hearthCold]).compactMap { $0 as? HearthContestant }
        .map(HearthContestant.init(decodingStructsOf:))
    case .q4:
      bases + [HearthContestant(countingByTime: hearth)] + reading(with: [.hearthCounts])
    case .q5, .q7: bases + [rows, allFields] + reading(with: [.hearthCold])
    case .q9: bases + reading(with: [.hearthCold, .hearthCovering])
    default: bases
    }
  }

  /// A note on the data that Hearth holds in memory if it is hot.
  var cacheNote: String {
    let caches = hearth.database.cacheStatistics
    func mebibytes(_ count: Int) -> String { (Double(count) / 1_048_576).short }
    return "Hearth, hot, holds \(caches.documentCount) documents in "
      + "\(mebibytes(caches.documentByteCount)) MiB, of which it found "
      + "\(((caches.documentHitRate ?? 0) * 100).short) % when it looked for them, warming "
      + "included, and \(caches.scanCount) scans in \(mebibytes(caches.scanByteCount)) MiB."
  }

  /// Number of times that Hearth answers a question in a row before it is timed or counted. After
  /// some of them Hearth decides whether to keep the scan, by the number of entries read.
  static let warmUpCount = 6

  /// Lets every store read all of its documents once by time and once by id, and answer every
  /// user's questions, so that no store is measured while its memory fills.
  func warm(_ operands: Operands) throws {
    for contestant in bases + reading(with: Engine.copyReaders) {
      try Readers.warm(contestant, operands)
    }
    // A query that is sorted by time is another query.
    try Readers.warm(
      HearthContestant(countingByTime: hearth), asking: [.q4], of: operands.users)
  }

  /// - Parameter workloads: the workloads that the store's indexes serve.
  static func warm(
    _ contestant: any Contestant, _ operands: Operands,
    asking workloads: [Workload] = Workload.userQuestions
  ) throws {
    var tally = Tally()
    try contestant.answer(.everything, into: &tally)
    for id in operands.ids { try contestant.answer(.task(id: id), into: &tally) }
    try warm(contestant, asking: workloads, of: operands.users)
  }

  /// Asks each of the users' questions as often as Hearth needs to fill its memory as in steady
  /// use. Hearth remembers the cost of only some thousands of scans, so equal questions follow one
  /// another.
  static func warm(
    _ contestant: any Contestant, asking workloads: [Workload], of users: [String]
  ) throws {
    let count = contestant is HearthContestant ? warmUpCount : 1
    var tally = Tally()
    for workload in workloads {
      for user in users {
        let question = workload.question(of: user)
        for _ in 0..<count { try contestant.answer(question, into: &tally) }
      }
    }
  }
}
