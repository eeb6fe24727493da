import ArgumentParser

/// The numbers of readers as a person types them: `4`, `1,2,4,8`.
struct ReaderCounts: ExpressibleByArgument, Sendable {
  /// The most threads that a benchmark starts.
  static let most = 256

  let counts: [Int]

  init?(argument: String) {
    var counts: [Int] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let count = Int(part), (1...ReaderCounts.most).contains(count) else { return nil }
      counts.append(count)
    }
    self.counts = counts
  }
}
