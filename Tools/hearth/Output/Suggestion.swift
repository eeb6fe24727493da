/// The number of letters that are added, removed, replaced or exchanged with their neighbour
/// between a typed word and another.
package enum EditDistance {
  package static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var next = [i + 1]
      for (j, other) in right.enumerated() {
        var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
          least = min(least, before[j - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}

/// Names that a mistyped word may have meant.
package enum Suggestion {
  /// The most names that are suggested.
  private static let mostCount = 3

  /// Returns the names that are most like `word`, the nearest first.
  package static func names(like word: String, among names: some Sequence<String>) -> [String] {
    let lower = word.lowercased()
    let limit = max(1, lower.count / 3)
    var near: [(name: String, distance: Int)] = []
    for name in names where !name.isEmpty {
      let other = name.lowercased()
      // The beginning of a name, or a name with an ending, is nearer than any other.
      let isPart =
        min(lower.count, other.count) > 2 && (other.hasPrefix(lower) || lower.hasPrefix(other))
      let distance = isPart ? 1 : EditDistance.between(lower, other)
      if distance <= limit { near.append((name, distance)) }
    }
    near.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return near.prefix(mostCount).map(\.name)
  }

  /// Returns a question, after a space; nothing without a name.
  package static func question(_ names: [String]) -> String {
    guard let last = names.last else { return "" }
    let rest = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return " Did you mean \(rest.isEmpty ? "" : rest + " or ")\"\(last)\"?"
  }
}
