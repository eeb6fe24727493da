import OrderedStore

/// The ranges in which LevelDB is asked to compact a range of keys.
package enum CompactionRanges {
  /// One range, or those on both sides of `anchor` where it lies inside
  /// (``LevelDBStore/Options/anchor``): the gaps between what a range has on a level lie within the
  /// range.
  package static func ranges(
    from lower: [UInt8]?, to upper: [UInt8]?, around anchor: [UInt8]?
  ) -> [(lower: [UInt8]?, upper: [UInt8]?)] {
    guard let anchor, !anchor.precedes(lower ?? []), upper.map(anchor.precedes) ?? true else {
      return [(lower, upper)]
    }
    return [(lower, anchor), (anchor + [0], upper)]
  }
}
