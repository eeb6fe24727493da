import ArgumentParser
import Hearth

/// The form of a file with cells: the byte between them, and the texts that stand for null.
package struct CellRules: Sendable {
  /// The byte between two cells; `nil` for the one of the format.
  package var separator: UInt8?
  /// Texts of cells that are read as null, each as its bytes.
  package var nulls: [[UInt8]]

  package init(separator: UInt8? = nil, nulls: [String] = []) {
    self.separator = separator
    self.nulls = nulls.map { Array($0.utf8) }
  }

  /// Whether `cell` stands for null.
  func isNull(_ cell: ArraySlice<UInt8>) -> Bool {
    nulls.contains { $0.count == cell.count && $0.elementsEqual(cell) }
  }
}

/// The options for files with cells.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The character between the cells of CSV, such as ';' or '\\t' for a tab; without it, a "
        + "comma, and a tab in .tsv files.",
      valueName: "character"))
  var delimiter: Delimiter?

  @Option(
    name: .customLong("null"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A text of cells that stands for null, such as NA. May be given several times.",
      valueName: "text"))
  var nulls: [String] = []

  var rules: CellRules { CellRules(separator: delimiter?.byte, nulls: nulls) }

  /// Checks that the options belong to `format`.
  ///
  /// - Throws: ``ToolFailure`` if they are given for a format without cells.
  func check(for format: InputFormat) throws(ToolFailure) {
    guard !format.hasCells, delimiter != nil || !nulls.isEmpty else { return }
    let option = delimiter == nil ? "--null" : "--delimiter"
    throw ToolFailure(
      .usage, .invalidArgument,
      "\(option) is for CSV and TSV; the input is read as \(format.rawValue) (see --format).")
  }
}

/// The character between two cells, as an option gives it.
struct Delimiter: ExpressibleByArgument, Sendable {
  let byte: UInt8

  /// Reads one ASCII character, or `\t` or `tab`; `nil` for any other text, and for characters
  /// that have another meaning in a cell.
  init?(argument: String) {
    let text = ["\\t", "tab"].contains(argument) ? "\t" : argument
    guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80,
      ![.quote, .newline, .carriageReturn, 0].contains(byte)
    else { return nil }
    self.byte = byte
  }
}
