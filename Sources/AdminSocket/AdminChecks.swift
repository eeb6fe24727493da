package import HearthQueryPlanning
package import HearthReports

extension BuildStatus: AdminChecked {
  package var invalidMember: String? { (0...1).contains(fraction) ? nil : "fraction" }
}

extension MissingIndex: AdminChecked {
  package var invalidMember: String? {
    progress.map((0...1).contains) ?? true ? nil : "progress"
  }
}

extension IndexStatistics: AdminChecked {
  /// The collection group is that of the first definition.
  package var invalidMember: String? { definitions.isEmpty ? "definitions" : nil }
}
