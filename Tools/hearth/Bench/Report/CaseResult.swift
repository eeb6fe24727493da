import Hearth

/// The result of one load, with all recordings.
struct CaseResult {
  let figures: CaseFigures
  /// Whether other loads were measured in the same run.
  let isOneOfSeveral: Bool
  private let queries: [KindRecording]
  private let whole: KindRecording
  private let writes: KindRecording?

  /// The recording of a kind of operations, and the figures made from it.
  typealias Part = (recording: KindRecording, figures: LoadFigures)

  init(
    _ load: BenchLoad, _ queries: [BenchQuery], reads: Recording, writes: Recording?,
    isOneOfSeveral: Bool
  ) {
    let seconds = max(Double(reads.elapsed), 1) / 1e9
    self.queries = reads.kinds
    whole = reads.whole
    self.writes = writes?.whole
    self.isOneOfSeveral = isOneOfSeveral
    figures = CaseFigures(
      readers: load.readers, rate: load.rate, writers: load.writers, writeRate: load.writeRate,
      seconds: seconds,
      total: LoadFigures(whole, name: LoadFigures.allQueries, seconds: seconds),
      queries: zip(queries, reads.kinds).map { query, recording in
        LoadFigures(recording, name: query.name, query: query, seconds: seconds)
      },
      writes: writes.map {
        LoadFigures(
          $0.whole, name: LoadFigures.writes, seconds: max(Double($0.elapsed), 1) / 1e9)
      },
      timeline: CaseFigures.Timeline(
        tickSeconds: Double(Recording.tick) / 1e9, reads: reads.ticks, writes: writes?.ticks ?? []))
  }

  /// Returns the query of that name, or the writes; all queries together if `name` is `nil`.
  func part(named name: String?) -> Part {
    guard let name else { return (whole, figures.total) }
    if name.utf8Equal(LoadFigures.writes), let writes, let figures = figures.writes {
      return (writes, figures)
    }
    if let index = figures.queries.firstIndex(where: { $0.name.utf8Equal(name) }) {
      return (queries[index], figures.queries[index])
    }
    return (whole, figures.total)
  }

  /// The first error of an operation.
  var firstError: DatabaseError? { whole.firstError ?? writes?.firstError }

  /// The latencies of all queries.
  var latencies: LatencyHistogram { whole.latencies }

  var label: String { figures.label }
}

extension CaseFigures {
  /// `4 readers at 5,000/s beside 2 writers at 100/s`
  var label: String {
    var label = Figure.counted(readers, "reader")
    if let rate { label += " at \(Figure.rate(rate))" }
    guard writers > 0 else { return label }
    label += " beside \(Figure.counted(writers, "writer"))"
    if let writeRate { label += " at \(Figure.rate(writeRate))" }
    return label
  }
}
