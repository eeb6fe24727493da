import Hearth

/// The data drawn from the database before the measurement: the queries with their values, and the
/// documents that writers write.
struct Draw {
  /// Limits: the documents read of a collection, and the runs and documents kept of them.
  private static let documentsRead = 200_000
  private static let runCount = 2_000
  private static let exchangedCount = 2_000

  /// The runs of each query, in the order of the queries.
  private(set) var runs: [[PreparedRun]] = []
  /// Pairs of documents that exchange their contents.
  private(set) var exchanges: [Exchange] = []

  /// - Parameter drawsExchanges: whether writers need documents.
  /// - Throws: ``ToolFailure`` if no document has values for all places of a query.
  init(
    _ queries: [BenchQuery], in database: Database, seed: UInt64, drawsExchanges: Bool
  ) throws {
    var drawings = queries.enumerated().map { QueryDrawing($1, seed: seed &+ UInt64($0)) }
    var sources: [DocumentSource] = []
    for query in queries {
      let source = try query.source()
      if (query.isDrawn || drawsExchanges) && !sources.contains(source) { sources.append(source) }
    }
    var written = Reservoir<ExchangedDocument>(capacity: Draw.exchangedCount)
    var random = SplitMix(seed: seed)
    for source in sources {
      let places = try queries.indices.filter {
        try queries[$0].isDrawn && queries[$0].source() == source
      }
      var documentCount = 0
      try source.query(in: database).forEachDocument { document throws(DatabaseError) in
        for place in places { try drawings[place].offer(document) }
        if drawsExchanges, let fields = try document.data() {
          let document = ExchangedDocument(path: document.reference.path, fields: fields)
          written.offer(document, using: &random)
        }
        documentCount += 1
        return documentCount < Draw.documentsRead
      }
    }
    runs = try drawings.map { try $0.runs() }
    exchanges = Exchange.pairs(of: written.elements.shuffled(using: &random))
    guard !drawsExchanges || !exchanges.isEmpty else {
      throw ToolFailure.badInput(
        "--writers exchange the contents of documents: the queried collections hold too few.")
    }
  }

  /// The runs of one query while they are being drawn.
  private struct QueryDrawing {
    private let query: BenchQuery
    private var drawn = Reservoir<PreparedRun>(capacity: Draw.runCount)
    private var random: SplitMix

    init(_ query: BenchQuery, seed: UInt64) {
      self.query = query
      random = SplitMix(seed: seed)
    }

    mutating func offer(_ document: DocumentSnapshot) throws(DatabaseError) {
      guard let run = try run(document) else { return }
      drawn.offer(run, using: &random)
    }

    private mutating func run(
      _ document: DocumentSnapshot
    ) throws(DatabaseError) -> PreparedRun? {
      switch query.kind {
      case .get: return .get(document.reference.path)
      case .documents(let template):
        let filled = try template.filled(from: document, using: &random)
        return filled.map { .documents($0, lastCount: template.lastCount) }
      case .figures(let template, let aggregations):
        return try template.filled(from: document, using: &random).map {
          .figures($0, aggregations)
        }
      }
    }

    func runs() throws -> [PreparedRun] {
      switch query.kind {
      case .get(let collection, let id?): return [.get(try collection.appending(id))]
      case .documents(let template) where !query.isDrawn:
        return [.documents(template.query, lastCount: template.lastCount)]
      case .figures(let template, let aggregations) where !query.isDrawn:
        return [.figures(template.query, aggregations)]
      default: break
      }
      var random = random
      let runs = drawn.elements.shuffled(using: &random)
      guard !runs.isEmpty else { throw try nothing() }
      return runs
    }

    private func nothing() throws -> ToolFailure {
      let collection = try query.source().path.lastSegment ?? ""
      let problem =
        switch query.kind {
        case .get: "\(collection) holds no document that ? could stand for."
        case .documents(let template), .figures(let template, _):
          "no document of \(collection) has values for "
            + template.fields.map(\.description).joined(separator: ", ")
            + ", which ? stands for."
        }
      return ToolFailure.badInput(problem)
    }
  }
}

extension DocumentSource {
  /// Returns a query for all documents of the source.
  fileprivate func query(in database: Database) throws(DatabaseError) -> Query {
    isGroup
      ? try database.collectionGroup(path.lastSegment ?? "")
      : try database.collection(path.description).query
  }
}
