import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Hearth
import Testing

/// A salvage of a damaged copy of a database, compared with the whole database.
struct SalvageCheck {
  let report: Database.SalvageReport
  let findings: [Database.SalvageFinding]
  /// Documents that differ, or that should not exist.
  private(set) var differing: Set<String> = []
  /// Documents that are missing.
  private(set) var missing: Set<String> = []
  /// Missing documents that aren't listed either, not even by the number of their collection if its
  /// path is lost.
  private var silentlyMissing: Set<String> = []

  /// Names that the salvage lists.
  var listed: Set<String> {
    Set(findings.filter { $0.kind != .setting }.map(\.subject))
  }

  init(
    _ damaged: String, of whole: LayeredDatabase,
    options: Database.SalvageOptions = Database.SalvageOptions()
  ) throws {
    let new = damaged + "-salvaged"
    var findings: [Database.SalvageFinding] = []
    report = try Database.salvage(from: damaged, to: new, options: options) { findings.append($0) }
    self.findings = findings
    try expectSound(new)
    let documents = try LayeredDatabase.documents(at: new)
    for (path, document) in documents where whole.documents[path] != document {
      differing.insert(path.description)
    }
    for path in whole.documents.keys where documents[path] == nil {
      missing.insert(path.description)
      if listed.isDisjoint(with: [path.description, whole.words(for: path)]) {
        silentlyMissing.insert(path.description)
      }
    }
    try whole.remove(new)
  }

  /// Expects the promise: every document that differs or is missing is listed.
  func expectPromise(_ damage: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let silent = differing.subtracting(listed)
    #expect(silent.isEmpty, "\(damage): not told of", sourceLocation: sourceLocation)
    #expect(
      silentlyMissing.isEmpty || report.mayLackNames,
      "\(damage): not told of as missing: \(silentlyMissing.sorted()), but of \(listed.sorted())",
      sourceLocation: sourceLocation)
    #expect(
      report.isComplete == findings.isEmpty || report.mayLackNames, "\(damage)",
      sourceLocation: sourceLocation)
  }
}
