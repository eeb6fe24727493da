/// The amounts of a build that are read, sorted and written at once.
package struct BuildTuning: Sendable {
  /// Documents that are read, and whose entries are sorted, at once.
  package var chunkDocumentCount = 100_000
  /// The bytes of entries, of all targets together, at which a chunk ends early.
  package var chunkByteCount = 16 << 20
  /// The bytes of one batch, for which a waiting writer has to wait.
  package var batchByteCount = 256 << 10
  /// Documents, written since the chunk was read, whose entries are made in one batch.
  package var changedDocumentCount = 500
  /// Documents read in one step.
  package var stepDocumentCount = 2_000
  /// Keys of a dropped index that are deleted in one step.
  package var dropKeyCount = 2_000
}
