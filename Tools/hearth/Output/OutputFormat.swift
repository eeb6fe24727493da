import ArgumentParser

/// The forms of rows between which the user can choose.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case table, json, csv, vertical
}
