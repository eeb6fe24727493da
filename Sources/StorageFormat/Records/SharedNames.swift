/// The names of the fields of the document that was decoded last. The next one mostly has the same,
/// and shares their list.
package struct SharedNames: Sendable {
  /// The names; none if some mark doesn't identify its name, since then no document is known to
  /// have them.
  let names: [String]
  /// A mark for each of the names.
  let marks: [FieldName.Mark]

  /// Creates names of a document without fields.
  package init() { (names, marks) = ([], []) }

  init(_ names: [String]) {
    let marks = names.map { FieldName.Mark($0.utf8.span.bytes) }
    (self.names, self.marks) = marks.allSatisfy(\.isWhole) ? (names, marks) : ([], [])
  }

  /// Whether the names are others than those of `other`.
  package func differ(from other: SharedNames) -> Bool { marks != other.marks }
}
