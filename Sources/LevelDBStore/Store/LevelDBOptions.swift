/// The choices at the opening of a store. LevelDB's checks are always on and no option.
package struct LevelDBOptions: Sendable {
  /// Whether a missing or empty folder becomes a new store. Otherwise it is refused.
  package var createIfMissing = true

  /// Whether a write returns only after it was synced.
  ///
  /// The choice holds from this open to the close. Opening makes everything in the store durable.
  /// So each open may choose anew, and no log ever mixes the two.
  package var isDurable = true

  /// Longest wait for another holder of the folder; zero refuses at once.
  package var lockWait: Duration = .zero

  /// Bytes of decompressed table blocks that are kept in memory.
  package var cacheByteCount = 64 << 20

  /// Bytes of writes that are kept in memory, and in the log, before they become a table.
  ///
  /// More is slower, because the sorted list outgrows the processor's cache.
  package var writeBufferByteCount = 4 << 20

  /// Number of tables that LevelDB keeps open, from 64 to 49,990.
  package var openTableCount = 1000

  /// Bytes at which LevelDB begins another table.
  package var tableByteCount = 2 << 20

  /// Bytes of one block of a table before compression. A point read decodes one block.
  package var blockByteCount = 4096

  /// Number of keys from one that a block holds whole to the next; those between share prefixes.
  package var blockRestartInterval = 4

  /// Whether blocks are compressed, with Snappy.
  package var isCompressed = true

  /// Limit in bytes for the queue of deleted keys whose dead values LevelDB still holds. Keys
  /// beyond it are forgotten, until cursors and compactions find them again.
  package var deadKeyByteCount = 16 << 20

  /// Longest time that closing takes to delete the keys in that queue; the rest is left to be
  /// found.
  package var drainTime: Duration = .seconds(1)

  /// A key that every batch puts, and that no compaction reaches across; `nil` for none.
  ///
  /// LevelDB 1.23 can flush a memtable into a gap between the inputs of a requested compaction,
  /// on the very level that the compaction writes to. Then tables of a level overlap, and reads
  /// miss keys. This can't happen if every memtable has this key and no gap spans it. If a batch
  /// doesn't end with a put of the key, the store adds one with the key's present value.
  package var anchor: [UInt8]?

  /// Describes a key, or the first bytes of several keys, for error messages, such as `the key
  /// 0a`. By default it uses hexadecimal digits.
  ///
  /// It is called inside the store and must not call the store.
  package var describeKey: @Sendable ([UInt8]) -> String = { hexadecimal($0) }

  package init() {}

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(64).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "the key " + digits.joined() + (bytes.count > 64 ? "…" : "")
  }
}
