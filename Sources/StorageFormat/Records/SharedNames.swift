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

  /// Whether the names are those of another list, and not only equal to them.
  package func isOther(than other: SharedNames) -> Bool {
    marks.count != other.marks.count || marks != other.marks
  }
}
