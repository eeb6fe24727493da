/// How much of a build is read, sorted and written at once.
package struct BuildTuning: Sendable {
  /// How many documents are read, and their entries sorted, at once.
  package var chunkDocumentCount = 100_000
  /// The bytes of entries, of all targets together, at which a chunk ends before.
  package var chunkByteCount = 16 << 20
  /// The bytes of one batch: what a waiting writer has to sit through.
  package var batchByteCount = 256 << 10
  /// How many documents that were written meanwhile are made into entries in one batch.
  package var changedDocumentCount = 500
  /// How many documents are read in one step.
  package var stepDocumentCount = 2_000
  /// How many keys of a dropped index are deleted in one step.
  package var dropKeyCount = 2_000

  var chunk: BuildChunk.Extent {
    BuildChunk.Extent(documentCount: chunkDocumentCount, byteCount: chunkByteCount)
  }

  /// What is read where the committer has to wait for all of it.
  var chunkInCommitter: BuildChunk.Extent {
    BuildChunk.Extent(documentCount: min(chunkDocumentCount, 500), byteCount: 1 << 20)
  }
}
