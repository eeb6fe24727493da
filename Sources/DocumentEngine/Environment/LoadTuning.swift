/// The amounts of a load that are gathered, sorted and written at once.
package struct LoadTuning: Sendable {
  /// Documents that a load writes with their index entries, before it defers those of others.
  package var promptDocumentCount = 2_000
  /// Documents without entries, after which the entries are put.
  package var documentCount = 1_000_000
  /// The bytes of entries that are sorted at once.
  package var runByteCount = 8 << 20
  /// The bytes of entries in one batch.
  package var batchByteCount = 1 << 20
}
