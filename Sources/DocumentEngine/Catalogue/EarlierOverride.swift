package import HearthQueryPlanning

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
