import HearthDocumentModel

extension IndexFilePlan {
  /// Checks that the steps leave no collection group with two times to live (§1.2). The second one
  /// could not be enabled.
  static func requireOneTimeToLive(
    enabling enabled: [Step], disabling disabled: [Step], from present: IndexFile,
    to file: IndexFile
  ) throws(DatabaseError) {
    let wanted = file.fieldsWithTimeToLive
    for (place, name) in wanted.enumerated() {
      guard let other = wanted[..<place].first(where: name.isBeside) else { continue }
      throw .invalidArgument(
        "The index file has times to live by \(other) and by \(name); a collection group has one "
          + "at most. Leave \"ttl\": true to one of them.")
    }
    let staying = present.fieldsWithTimeToLive.filter { !disabled.contains(.disableTimeToLive($0)) }
    for name in wanted where enabled.contains(.enableTimeToLive(name)) {
      guard let other = staying.first(where: name.isBeside) else { continue }
      let isListed = file.overrides.contains { $0.name == other }
      throw DatabaseError(
        .failedPrecondition,
        "The time to live by \(name) can't come beside the one by \(other), which "
          + (isListed ? "the index file leaves as it is" : "the index file lacks")
          + "; a collection group has one at most. "
          + (isListed ? "Give \(other) \"ttl\": false in the file" : "Apply the file with --prune")
          + ", or disable the time to live by \(other) before.")
    }
  }
}

extension IndexFile {
  fileprivate var fieldsWithTimeToLive: [IndexedField] {
    overrides.filter { $0.isTimeToLive == true }.map(\.name)
  }
}

extension IndexedField {
  /// Whether this is another field of the same collection group.
  fileprivate func isBeside(_ other: IndexedField) -> Bool {
    self != other && collectionGroup.utf8Equal(other.collectionGroup)
  }
}
