extension LevelDBStore {
  /// What a caller decides when it opens a store. LevelDB's checks are on always and no option.
  package struct Options: Sendable {
    /// Whether a missing or empty folder becomes a new store. Otherwise it is refused.
    package var createIfMissing = true

    /// Whether a write returns only after it was synced.
    ///
    /// It holds from this open to the close. Opening makes all that the store holds durable, so a
    /// store may be opened either way each time and still never mixes the two in one log.
    package var isDurable = true

    /// How long to wait for another holder of the folder; zero refuses at once.
    package var lockWait: Duration = .zero

    /// The bytes of decompressed table blocks that are kept in memory.
    package var cacheByteCount = 64 << 20

    /// The bytes of writes kept in memory, and in the log, before they become a table.
    ///
    /// More is slower: the sorted list leaves the processor's cache.
    package var writeBufferByteCount = 4 << 20

    /// How many tables LevelDB keeps open.
    package var maxOpenFiles = 1000

    /// The bytes at which LevelDB begins another table.
    package var tableByteCount = 2 << 20

    /// The bytes of one block of a table, before compression: what a point read decodes.
    package var blockByteCount = 4096

    /// How many keys of a block share prefixes before one is written whole.
    package var blockRestartInterval = 4

    /// Whether blocks are compressed, with Snappy.
    package var isCompressed = true

    /// The bytes of the queue of deleted keys that LevelDB still holds dead values of. What is
    /// beyond is forgotten, and found again by cursors and compactions.
    package var deadKeyByteCount = 16 << 20

    /// Time that closing takes for deleting what is in that queue; the rest is left to be found.
    package var drainTime: Duration = .seconds(1)

    /// A key that every batch puts, and no compaction reaches across.
    ///
    /// LevelDB 1.23 can flush a memtable into a gap between the inputs of a compaction that was
    /// asked for, on the very level that it writes to; then tables of a level overlap, and reads
    /// miss keys. It can't where every memtable has this key and no gap spans it. A batch that ends
    /// without a put of it is given one, of the value that is there.
    package var anchor: [UInt8]?

    /// Puts a key, or the bytes that some begin with, into words for error messages, such as `the
    /// key 0a`; by default with hexadecimal digits.
    ///
    /// It is called inside the store and must not call it back.
    package var describeKey: @Sendable ([UInt8]) -> String = { hexadecimal($0) }

    package init() {}
  }

  /// What opening found.
  package struct OpenReport: Sendable {
    /// The folder from the root.
    package var folder: String
    /// Whether the store was made by this call.
    package var isNew: Bool
    /// LevelDB's number of the last put or delete that is in the store.
    ///
    /// A log that ends early at the end of a batch looks like any other, so this number is how a
    /// caller that counts can tell.
    package var lastSequence: UInt64
    /// The logs whose ends were cut off, because a crash left them half written.
    package var cuts: [LogCut]
    /// Whether writes that were not synced may have been lost since the last open, so that whoever
    /// derives data from other data has to verify it, and then call `markVerified()`.
    package var isUncleanAfterPowerLoss: Bool
  }

  /// An end of a log that held no whole batch and was cut off.
  package struct LogCut: Sendable, Equatable {
    /// The name of the file in the folder `store`.
    package var file: String
    /// Where the file ends now.
    package var byteOffset: Int
    /// How much was cut.
    package var byteCount: Int
    /// How many whole batches were cut off with it: never any, unless the store was open without
    /// syncs when the machine lost power.
    package var batchCount: Int
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(64).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "the key " + digits.joined() + (bytes.count > 64 ? "…" : "")
  }
}
