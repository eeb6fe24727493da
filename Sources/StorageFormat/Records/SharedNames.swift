/// The names of the fields of the document that was decoded last. The next one mostly has the same,
/// and shares their list.
package struct SharedNames: Sendable {
  let names: [String]
  /// The marks of the names; empty if some mark doesn't identify its name.
  let marks: [FieldName.Mark]

  /// Creates names that no document has.
  package init() { (names, marks) = ([], []) }

  init(_ names: [String]) {
    self.names = names
    let marks = names.map { FieldName.Mark($0.utf8.span.bytes) }
    self.marks = marks.allSatisfy(\.isWhole) ? marks : []
  }

  /// Whether the names are those of another list, and not only equal to them.
  package func isOther(than other: SharedNames) -> Bool {
    marks.count != other.marks.count || marks != other.marks
  }
}
