package import HearthQueryPlanning

/// The rest of the change of an override, and the indexes to return to if it fails.
package struct OverrideChange: Sendable {
  /// The spaces that the override gave up and whose entries are still to be deleted.
  package var retiring: AutomaticSpaces = []
  /// Whether the override is removed once its fields have the indexes again that hold without it.
  package var isReverting = false
  /// The earlier indexes, which come back if the change fails; `nil` if it can't fail.
  package var earlier: EarlierOverride?

  package init(
    retiring: AutomaticSpaces = [], isReverting: Bool = false, earlier: EarlierOverride? = nil
  ) {
    self.retiring = retiring
    self.isReverting = isReverting
    self.earlier = earlier
  }

  /// Whether nothing of the change remains.
  var isOver: Bool { retiring.isEmpty && !isReverting && earlier == nil }
}

/// The indexes that a field had before its override was changed.
package struct EarlierOverride: Sendable {
  package let indexes: [SingleFieldIndex]
  /// Whether the field had no override of its own.
  package let isInherited: Bool

  package init(_ indexes: [SingleFieldIndex], isInherited: Bool) {
    self.indexes = indexes
    self.isInherited = isInherited
  }
}
