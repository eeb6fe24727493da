import DocumentEngine
import DocumentModel
import Hearth
import Testing

/// Salvages a damaged copy of a database, and compares what comes of it with the whole one.
struct SalvageCheck {
  let report: Database.SalvageReport
  let findings: [Database.SalvageFinding]
  /// Documents that aren't what they were, or shouldn't be there.
  private(set) var differing: Set<String> = []
  /// Documents that aren't there.
  private(set) var missing: Set<String> = []
  /// Those of them that aren't listed either, not even by the number of their collection, where the
  /// path of that is lost.
  private var silentlyMissing: Set<String> = []

  /// The names that are listed.
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

  /// Expects the promise: what differs or is missing is listed.
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
