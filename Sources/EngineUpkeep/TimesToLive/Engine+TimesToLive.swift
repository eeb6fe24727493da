package import HearthDocumentEngine
package import HearthDocumentModel
import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

extension Engine {
  /// Whether the database deletes some documents by itself.
  package var hasTimesToLive: Bool { !latest.catalog.timesToLive.isEmpty }

  /// Sets a time to live: documents of a collection group are deleted by the time in a field
  /// (§3.9), from the return of this call on. If the field has a time to live, only its offset
  /// changes, at once.
  ///
  /// This deletes nothing itself: ``TimeToLiveSweep`` does.
  ///
  /// - Parameter offsetSeconds: the seconds after that time, 0...2,147,483,647.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `invalidArgument` for `__name__`, an offset out of bounds or an invalid collection
  ///   id; `failedPrecondition` if another field of the group has a time to live; `cancelled` if it
  ///   is removed meanwhile.
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
      // No thread steps meanwhile, so a build that is needed is still open.
      return policy.state == .ready ? nil : builds.number(of: .timeToLive(policy.index.id))
    }
    if let number { try builds.wait(for: number, isFollowed: true, progress) }
  }

  private static func register(
    _ collectionGroup: String, _ field: FieldPath, _ offsetSeconds: Int,
    _ group: inout CommitDraft
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

  /// Removes a time to live. If its index is being built, the build is cancelled.
  ///
  /// - Complexity: the entries of its index.
  /// - Throws: `notFound`.
  package func removeTimeToLive(
    _ collectionGroup: String, _ field: FieldPath
  ) throws(DatabaseError) {
    let id = try administer { draft in
      let known = draft.catalog.timesToLive.first {
        $0.collectionGroup.utf8Equal(collectionGroup) && $0.field == field
      }
      guard let known else {
        throw DatabaseError(
          .notFound, "The field \(field) of \(collectionGroup) has no time to live.")
      }
      let id = known.index.id
      draft.delete(StorageKey.checkpoint(compositeID: id))
      draft.replaceCatalog(
        draft.catalog.with { contents in
          contents.timesToLive.removeAll { $0.index.id == id }
          contents.droppedIDs.append(id)
        })
      return id
    }
    try builds.finishDrops([id])
  }
}
