import HearthFirestoreJSON

/// The recorded cases in which the verdict here is not the emulator's.
///
/// The emulator judges a query as if the fields that it doesn't mention were not there. Here they
/// are unknown, which most often refuses the query.
enum DoubtfulCases {
  /// Cases with `doubt` that are allowed here: the query shows what the rules ask, or a rule
  /// applies where the emulator has a fault of another kind.
  static let allowed: Set<String> = [
    // The conditions fix what is asked.
    "queries-061", "queries-064", "queries-065", "queries-117", "queries-118", "queries-119",
    "queries-125", "queries-127", "queries-bounds-aggregations-064",
    "queries-bounds-aggregations-070", "queries-bounds-aggregations-079",
    "queries-bounds-aggregations-081", "queries-bounds-aggregations-093",
    "queries-bounds-aggregations-125",
    // A server chooses the id of a new document before it asks the rules.
    "queries-names-wildcards-048", "queries-names-wildcards-050", "queries-names-wildcards-053",
    "queries-names-wildcards-055", "queries-names-wildcards-059", "writes-batches-053",
    // Functions by the names of the documentation, and sets that are sets.
    "time-geo-math-hash-path-088", "types-066", "types-087",
  ]

  /// Cases without `doubt` whose verdict is another one here, with it.
  static let others: [String: Bool] = [
    // A map of which only one field is known may have others.
    "queries-bounds-aggregations-062": false, "queries-bounds-aggregations-063": false,
  ]
}

extension DoubtfulCases {
  /// Whether a recorded warning is not given here: that a type is wrong, which depends on how far
  /// types are followed, or that a function is unknown which is known here.
  static func isUnheeded(_ warning: String) -> Bool {
    ["Invalid type.", "The sub-expressions", "Ternary", "math.isInfinite"].contains(
      where: warning.contains)
  }
}
