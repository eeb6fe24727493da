/// Lines of CSV (RFC 4180), with line feeds as their ends.
package enum CSVText {
  /// Returns a line with its end. Cells with commas, quotes or line ends stand in quotes.
  package static func line(_ cells: [String]) -> String {
    // A line with one empty cell would be read as no line.
    guard cells != [""] else { return "\"\"\n" }
    return cells.map(cell).joined(separator: ",") + "\n"
  }

  private static func cell(_ text: String) -> String {
    let special: [Unicode.Scalar] = [",", "\"", "\n", "\r"]
    guard text.unicodeScalars.contains(where: special.contains) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
