package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
import HearthStorageFormat

extension ReadView {
  /// Returns at most `count` names, in order, that cut a collection group into ranges of about the
  /// same size (§9.3).
  ///
  /// Names are sampled by a hash, about one in 128, so that the cuts stay the same while documents
  /// come and go. A small group has no cuts, nor has a query over all collections.
  ///
  /// - Parameter query: all documents of a group below the root, by name.
  /// - Complexity: one key for each document of the group; memory for the sampled names.
  /// - Throws: `invalidArgument` for any other query, or a count below 1; `failedPrecondition` for
  ///   a query that lacks an index; `deadlineExceeded`; `dataLoss`; errors of the store.
  package func partition(
    _ query: StructuredQuery, count: Int, deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> [DocumentName] {
    guard count > 0 else { throw .invalidArgument("Partition count must be greater than zero.") }
    try query.validateForPartitioning()
    // Other faults of the query, and a missing index, are reported as for any query.
    _ = try plan(query)
    try query.validateAsWhole()
    guard !query.collectionID.isEmpty else { return [] }
    return try reportingErrors {
      var deadline = Deadline(deadline)
      let prefix = StorageKey.groupNamePrefix(collectionID: query.collectionID)
      var sample = NameSample(prefixByteCount: prefix.count)
      try snapshot.forEachEntry(in: .prefix(prefix)) { key, _ in
        try deadline.check()
        sample.add(key)
        return true
      }
      return try sample.cuts(count).map { key in
        var offset = prefix.count
        let path = try OrderedName.path(from: key.span.bytes, at: &offset, .ascending)
        return DocumentName(unchecked: path, in: databaseID)
      }
    }
  }
}

extension StructuredQuery {
  private var isByName: Bool { orders == [Order(.documentID)] }

  /// Checks that the query has no parts that a partitioned query can't have, in production's words
  /// (§9.3).
  fileprivate func validateForPartitioning() throws(DatabaseError) {
    guard parent.isRoot else { throw .invalidArgument("Ancestor queries are not supported.") }
    guard allDescendants else {
      throw .invalidArgument("Query must select all descendant collections.")
    }
    guard limit == nil else { throw .invalidArgument("Query limit is not supported.") }
    guard offset == 0 else { throw .invalidArgument("Query offset is not supported.") }
    guard projection == nil else { throw .invalidArgument("Property masks are not supported.") }
    guard start == nil else {
      throw .invalidArgument("Query start cursors are not supported.")
    }
    guard end == nil else { throw .invalidArgument("Query end cursors are not supported.") }
    guard !isByName || conditions.allSatisfy(\.isOnName) else {
      throw .invalidArgument("order by clause cannot contain more fields after the key")
    }
  }

  /// Checks that a query that an index serves selects all documents of its collections, by name.
  fileprivate func validateAsWhole() throws(DatabaseError) {
    guard conditions.isEmpty else { throw .invalidArgument("Query filters are not supported.") }
    guard orders.isEmpty || isByName else {
      throw .invalidArgument("Query orders other than by __name__ are not supported.")
    }
    guard nearest == nil else { throw .invalidArgument("Nearest neighbors are not supported.") }
  }

  private var conditions: [Filter] { filter?.conditions ?? [] }
}

/// The sampled keys of a group's names, among which its cuts are chosen.
private struct NameSample {
  /// The average distance of sampled names. A group with fewer names is not cut.
  private static let interval: UInt64 = 128

  private let prefixByteCount: Int
  private var keys: [[UInt8]] = []
  private var nameCount: UInt64 = 0

  init(prefixByteCount: Int) {
    self.prefixByteCount = prefixByteCount
  }

  mutating func add(_ key: RawSpan) {
    nameCount += 1
    let name = key.extracting(droppingFirst: prefixByteCount)
    if name.fingerprint.isMultiple(of: NameSample.interval) { keys.append([UInt8](copying: key)) }
  }

  /// Returns at most `count` of the keys, with about as many between each two.
  func cuts(_ count: Int) -> [[UInt8]] {
    guard nameCount >= NameSample.interval else { return [] }
    let count = min(count, keys.count)
    return (0..<count).map { keys[($0 + 1) * (keys.count + 1) / (count + 1) - 1] }
  }
}

extension RawSpan {
  /// A hash that is the same in every process. Its bits are mixed so that the lowest depend on all
  /// bytes.
  fileprivate var fingerprint: UInt64 {
    var stable = StableHash()
    stable.combine(self)
    var hash = stable.value
    hash = (hash ^ hash &>> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash &>> 27) &* 0x94D0_49BB_1331_11EB
    return hash ^ hash &>> 31
  }
}
