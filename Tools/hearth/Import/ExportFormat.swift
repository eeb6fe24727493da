import ArgumentParser

/// The formats of exported documents.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  /// One JSON object per line.
  case ndjson
  /// One document of Firestore's REST interface per line, with the types of its values.
  case typed
  /// Comma-separated values with a header row.
  case csv
  /// The same with tabs in place of commas.
  case tsv

  /// The byte between two cells; `nil` for the formats of JSON.
  var separator: UInt8? {
    switch self {
    case .csv: .comma
    case .tsv: .tab
    case .ndjson, .typed: nil
    }
  }
}
