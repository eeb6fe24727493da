import HearthOrderedStore

/// The ranges that LevelDB is asked to compact in place of one range of keys.
package enum CompactionRanges {
  /// Returns the range, or the two ranges on both sides of `anchor` if it lies inside
  /// (``LevelDBOptions/anchor``). The gaps between a compaction's inputs lie within its
  /// range, so none of them spans the anchor.
  package static func ranges(
    from lower: [UInt8]?, to upper: [UInt8]?, around anchor: [UInt8]?
  ) -> [(lower: [UInt8]?, upper: [UInt8]?)] {
    guard let anchor, !anchor.precedes(lower ?? []), upper.map(anchor.precedes) ?? true else {
      return [(lower, upper)]
    }
    return [(lower, anchor), (anchor + [0], upper)]
  }
}
