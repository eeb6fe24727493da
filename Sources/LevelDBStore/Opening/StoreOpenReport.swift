/// The findings of opening a store.
package struct StoreOpenReport: Sendable {
  /// Path of the folder, from the root.
  package var folder: String
  /// Whether this call made the store.
  package var isNew: Bool
  /// LevelDB's sequence number of the last put or delete in the store.
  ///
  /// A log that ends early, at the end of a batch, looks like any other. A caller that counts its
  /// own writes can find the loss with this number.
  package var lastSequence: UInt64
  /// Logs whose ends were cut off because a crash left them half written.
  package var cuts: [LogCut]
  /// Whether writes that were not synced may have been lost since the last open. The caller then
  /// has to verify the data that it derives from other data, and to call `markVerified()`.
  package var isUncleanAfterPowerLoss: Bool
}

/// The end of a log that was cut off.
package struct LogCut: Sendable, Equatable {
  /// Name of the file in the folder `store`.
  package var file: String
  /// Length of the file after the cut.
  package var byteOffset: Int
  /// Number of bytes that were cut off.
  package var byteCount: Int
  /// Number of whole batches that were cut off; 0 unless the store was open without syncs when
  /// the machine lost power.
  package var batchCount: Int
}
