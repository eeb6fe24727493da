import Workbench

/// The result of the study of scale.
struct ScaleReport: Codable {
  /// One engine with one number of documents.
  struct Line: Codable {
    let engine: Engine
    let documents: Int
    /// Number of bytes of the files after the load.
    let byteCount: Int
    let load: ProbeResult
    let opening: ProbeResult
    let cold: ProbeResult
    let hot: ProbeResult
    let write: ProbeResult
    let afterKill: ProbeResult
  }

  let cacheMebibytes: Int
  var lines: [Line] = []

  var header: String {
    """
    **Scale**: microseconds, medians of get, page of 20 (Q2) and count (Q4), hot and cold, and of \
    an insert without sync; load and build in microseconds per document; opening in milliseconds, \
    after a close and after a kill; MB that the process has allocated, and MB of mapped files, at \
    the end of the load, without documents or names in memory, and when it is hot; bytes of disk \
    per document. \
    Caches: \(cacheMebibytes) MiB.

    | documents | | get hot | cold | page hot | cold | count hot | cold | insert | load | build \
    | open | after a kill | MB loaded | mapped | MB hot | mapped | disk |
    |---:|---|\(String(repeating: "---:|", count: 16))
    """
  }
}

extension ScaleReport.Line {
  var text: String {
    func perDocument(_ seconds: Double?) -> Double? {
      seconds.map { $0 * 1e6 / Double(documents) }
    }
    func megabytes(_ count: Int?) -> Double? { count.map { Double($0) / 1e6 } }
    let figures: [Double?] = [
      hot.get?.p50, cold.get?.p50, hot.page?.p50, cold.page?.p50, hot.count?.p50, cold.count?.p50,
      write.insert?.p50, perDocument(load.seconds), perDocument(write.seconds),
      opening.seconds.map { $0 * 1e3 }, afterKill.seconds.map { $0 * 1e3 },
      megabytes(load.memory?.anonymousByteCount), megabytes(load.memory?.fileByteCount),
      megabytes(hot.memory?.anonymousByteCount),
      megabytes(hot.memory?.fileByteCount), Double(byteCount) / Double(documents),
    ]
    return "| \(documents) | \(engine.rawValue) | "
      + figures.map { $0?.short ?? "" }.joined(separator: " | ") + " |"
  }
}
