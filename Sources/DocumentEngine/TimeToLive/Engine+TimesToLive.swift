package import DocumentModel
import QueryPlanning
import StorageFormat

extension Engine {
  /// Whether some documents may go by themselves.
  package var hasTimesToLive: Bool { !latest.catalog.timesToLive.isEmpty }

  /// Lets documents of a collection group go by the time in a field (§3.9), from when this returns.
  /// Where the field has a time to live, its offset becomes the given one, at once.
  ///
  /// Nothing is deleted by this: ``TimeToLiveSweep`` does it.
  ///
  /// - Parameter offsetSeconds: how long after that time, 0...2,147,483,647.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `invalidArgument` for `__name__`, an offset out of bounds or what is no collection's
  ///   id; `failedPrecondition` if another field of the group has one; `cancelled` if it is
  ///   removed meanwhile.
  package func setTimeToLive(
    _ collectionGroup: String, _ field: FieldPath, offsetSeconds: Int = 0,
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try ResourcePath.validated(collectionGroup, isCollection: true)
    guard field != .documentID else {
      throw .invalidArgument("__name__ is no time: a time to live needs a field of the document.")
    }
    guard TimeToLive.offsets.contains(offsetSeconds) else {
      throw .invalidArgument(
        "The offset is \(offsetSeconds) seconds; it has to be between 0 and "
          + "\(TimeToLive.offsets.upperBound).")
    }
    let number = try administering { () throws(DatabaseError) -> Int? in
      let policy = try commitExclusively { group in
        try Engine.register(collectionGroup, field, offsetSeconds, &group)
      }
      // Nobody steps meanwhile: what has to be built still has.
      return policy.state == .ready ? nil : builds.number(of: .timeToLive(policy.index.id))
    }
    if let number { try builds.wait(for: number, isFollowed: true, progress) }
  }

  private static func register(
    _ collectionGroup: String, _ field: FieldPath, _ offsetSeconds: Int,
    _ group: inout CommitGroup
  ) throws -> TimeToLive {
    let known = group.catalog.timesToLive.first {
      $0.collectionGroup.utf8Equal(collectionGroup)
    }
    guard let known else {
      let policy = TimeToLive(
        id: group.takeIndexID(), collectionGroup, field, offsetSeconds: offsetSeconds,
        state: .creating)
      group.replaceCatalog(group.catalog.with { $0.timesToLive.append(policy) })
      return policy
    }
    guard known.field == field else {
      throw DatabaseError(
        .failedPrecondition,
        "The documents of \(collectionGroup) live by the field \(known.field) already; a "
          + "collection group has one such field at most.")
    }
    let policy = known.with(offsetSeconds: offsetSeconds)
    if policy != known {
      group.updateTimesToLive { $0.index.id == policy.index.id ? policy : $0 }
    }
    return policy
  }

  /// Lets documents no longer go by the time in a field. One that is being built is given up.
  ///
  /// - Complexity: the entries of its index.
  /// - Throws: `notFound`.
  package func removeTimeToLive(
    _ collectionGroup: String, _ field: FieldPath
  ) throws(DatabaseError) {
    let id = try administering { () throws(DatabaseError) in
      try commitExclusively { group in
        let known = group.catalog.timesToLive.first {
          $0.collectionGroup.utf8Equal(collectionGroup) && $0.field == field
        }
        guard let known else {
          throw DatabaseError(
            .notFound, "The field \(field) of \(collectionGroup) has no time to live.")
        }
        let id = known.index.id
        group.delete(StorageKey.checkpoint(compositeID: id))
        group.replaceCatalog(
          group.catalog.with { contents in
            contents.timesToLive.removeAll { $0.index.id == id }
            contents.droppedIDs.append(id)
          })
        return id
      }
    }
    try builds.finishDrops([id])
  }
}
