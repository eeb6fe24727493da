/// The origin of an index that serves queries.
package enum IndexSource: Sendable, Equatable {
  /// The built-in index of names.
  case key
  /// A single-field index.
  case automatic
  case composite(id: UInt64)

  var isComposite: Bool {
    if case .composite = self { true } else { false }
  }
}
