import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport

/// A read of a transaction.
enum GeneratedRead: Sendable {
  case document(ResourcePath)
  /// The first results of a query, and no entry after them.
  case results(StructuredQuery, upTo: Int)
  /// The number of a query's results, without their documents.
  case entries(StructuredQuery)
  case figures(AggregationQuery)

  var kind: String {
    switch self {
    case .document: "documents"
    case .results(let query, upTo: .max): query.nearest == nil ? "queries" : "nearest queries"
    case .results: "pages"
    case .entries: "counts"
    case .figures: "aggregations"
    }
  }
}

/// The result of a read: the documents and their versions.
struct ReadAnswer: Sendable, Equatable {
  private(set) var paths: [ResourcePath] = []
  private(set) var count = 0
  private(set) var digest: Int

  init(_ documents: [(path: ResourcePath, updateTime: Timestamp)]) {
    paths = documents.map(\.path)
    count = documents.count
    var hasher = Hasher()
    for document in documents {
      hasher.combine(document.path)
      hasher.combine(document.updateTime)
    }
    digest = hasher.finalize()
  }

  init(_ documents: [Document]) {
    self.init(documents.map { ($0.path, $0.updateTime) })
  }

  init(count: Int) {
    self.count = count
    digest = count
  }

  init(_ values: [Value]) {
    count = values.count
    digest = "\(values)".hashValue
  }
}

extension GeneratedRead {
  /// Returns the answer of the engine.
  func answer(in view: ReadView) throws(DatabaseError) -> ReadAnswer {
    switch self {
    case .document(let path):
      return ReadAnswer(try view.document(at: path).map { [($0.path, $0.updateTime)] } ?? [])
    case .results(let query, let limit):
      let execution = try view.run(query)
      var documents: [(path: ResourcePath, updateTime: Timestamp)] = []
      while documents.count < limit, let document = try execution.nextDocument() {
        documents.append((document.path, document.updateTime))
      }
      try execution.finish()
      return ReadAnswer(documents)
    case .entries(let query):
      let execution = try view.run(query)
      var count = 0
      while try execution.skipDocument() { count += 1 }
      return ReadAnswer(count: count)
    case .figures(let aggregation):
      return ReadAnswer(try view.aggregate(aggregation).values.map(\.value))
    }
  }

  /// Returns the answer of the engine, or `nil` for a cosine that met a vector of zeros: an answer
  /// that is an error promises nothing.
  func answerUnlessUndefined(in view: ReadView) throws(DatabaseError) -> ReadAnswer? {
    try unlessUndefined { () throws(DatabaseError) in try answer(in: view) }
  }

  private func unlessUndefined(
    _ answer: () throws(DatabaseError) -> ReadAnswer
  ) throws(DatabaseError) -> ReadAnswer? {
    do throws(DatabaseError) {
      return try answer()
    } catch {
      guard error.code == .failedPrecondition, isByCosine else { throw error }
      return nil
    }
  }

  private var isByCosine: Bool {
    switch self {
    case .results(let query, _), .entries(let query): query.nearest?.measure == .cosine
    case .figures(let aggregation): aggregation.query.nearest?.measure == .cosine
    case .document: false
    }
  }

  /// Whether the reference has the same `answer`. An answer that is an error is none.
  func gives(
    _ answer: ReadAnswer, on documents: [ResourcePath: Document]
  ) throws(DatabaseError) -> Bool {
    try unlessUndefined { () throws(DatabaseError) in try self.answer(on: documents) } == answer
  }

  /// Returns the answer of the reference, which looks at every document.
  func answer(on documents: [ResourcePath: Document]) throws(DatabaseError) -> ReadAnswer {
    switch self {
    case .document(let path): return ReadAnswer(documents[path].map { [$0] } ?? [])
    case .results(let query, let limit):
      return ReadAnswer(Array(try results(of: query, on: documents).prefix(limit)))
    case .entries(let query):
      return ReadAnswer(count: try results(of: query, on: documents).count)
    case .figures(let aggregation):
      let normalized = try NormalizedAggregation(aggregation, in: .default)
      return ReadAnswer(
        try QueryMatcher.aggregate(normalized, on: Array(documents.values)))
    }
  }

  private func results(
    of query: StructuredQuery, on documents: [ResourcePath: Document]
  ) throws(DatabaseError) -> [Document] {
    let matcher = QueryMatcher(try NormalizedQuery(query, in: .default))
    let documents = Array(documents.values)
    guard query.nearest == nil else { return try matcher.nearest(on: documents).map(\.document) }
    return matcher.run(on: documents)
  }
}

extension LawDatabase {
  /// Returns a read of any kind, after creating the indexes for it; `nil` if no such index is
  /// possible.
  mutating func read() throws -> GeneratedRead? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .document(generator.path(using: &random))
    case 2:
      return try prepared(generator.nearestQuery(using: &random)).map { .results($0, upTo: .max) }
    case 3:
      let aggregation = generator.aggregation(using: &random)
      return try served { view throws(DatabaseError) in
        _ = try view.plan(aggregation)
        return .figures(aggregation)
      }
    case 4: return try prepared(generator.query(using: &random)).map { .entries($0) }
    case 5, 6:
      let limit = random.pick([0, 1, 1, 2, 3])
      return try prepared(generator.query(using: &random)).map { .results($0, upTo: limit) }
    default:
      return try prepared(generator.query(using: &random)).map { .results($0, upTo: .max) }
    }
  }

  private mutating func prepared(_ query: StructuredQuery) throws -> StructuredQuery? {
    try served { view throws(DatabaseError) in
      _ = try view.plan(query)
      return query
    }
  }

  /// Returns the documents as the engine has them.
  func storedDocuments() throws -> [ResourcePath: Document] {
    let view = try engine.readView()
    var stored: [ResourcePath: Document] = [:]
    for document in documents {
      stored[document.path] = try view.document(at: document.path)?.document()
    }
    return stored
  }
}
