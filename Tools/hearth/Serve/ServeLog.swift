import ArgumentParser
import Hearth
import HearthDocumentEngine
import HearthFirestoreJSON
import HearthRules
import HearthServer
import Synchronization

/// The messages of a server, on standard error.
final class ServeLog: Sendable {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  /// Refusals that are remembered, so that each is told once.
  private static let refusalLimit = 10_000

  private let format: Format
  /// Whether the values of queries are told.
  private let showsValues: Bool
  private let refusals = Mutex<Set<String>>([])
  private let hasToldOfTLS = Atomic(false)

  init(_ format: Format, showsValues: Bool) {
    self.format = format
    self.showsValues = showsValues
  }

  @Sendable func note(_ event: ServerEvent) {
    switch event {
    case .opened(let id, let report): noteOpening(of: id, report)
    case .indexesRefused(let id, let error): noteIndexes(of: id, error)
    case .closed(let id, let error): noteClosing(of: id, error)
    case .refused(let query): noteRefusal(of: query)
    case .building(let id, let index, let progress): noteProgress(of: index, in: id, progress)
    case .built(let id, let index, let error): noteEnd(of: index, in: id, error)
    case .denied(let id, let refusal): noteDenial(in: id, refusal)
    case .rulesReplaced(let file): print("rulesReplaced", "The rules of \(file) hold now.")
    case .rulesRefused(let file, let error): noteRules(of: file, error)
    case .providerKeysUnavailable(let provider, let reason): noteKeys(of: provider, reason)
    case .mailFailed(let failure): noteMail(failure)
    case .tlsRefused: noteTLS()
    }
  }

  func warnOfStrangers(at host: String) {
    print(
      "insecure",
      "Warning: everyone who reaches \(host) may read and write everything: the server asks no "
        + "caller for a right.")
  }

  func warnOfReaders(of file: String) {
    print(
      "readable",
      "Warning: other users can read the tokens of administrators in \(file): chmod 600 \(file)")
  }

  private func noteDenial(in id: DatabaseID, _ refusal: RulesRefusal) {
    for operation in refusal.operations {
      let denial = DeniedOperation(operation, showsValues: showsValues)
      print(
        "denied", "Denied in \(id): \(denial.text)",
        ["database": id.description] + denial.members)
    }
  }

  private func noteRules(of file: String, _ error: DatabaseError) {
    print(
      "rulesRefused", "Error: the earlier rules hold on: \(error.message)",
      ["file": file, "error": error.message])
  }

  private func noteKeys(of provider: String, _ reason: String) {
    print(
      "providerKeysUnavailable",
      "Error: there are no new keys of \(provider), and those of before are good on: \(reason)",
      ["provider": provider, "error": reason])
  }

  private func noteMail(_ failure: MailFailure) {
    let errors = failure.errors.split(separator: "\n").map { "\n  \(String($0).printable)" }
    print(
      "mailFailed",
      "Error: a message with a code (\(failure.kind)) isn't sent: \(failure.reason)"
        + errors.joined(),
      ["kind": failure.kind, "reason": failure.reason, "errors": failure.errors])
  }

  func noteEnd() { print("stopping", "Stopping: running calls have a moment to end.") }

  private func noteOpening(of id: DatabaseID, _ report: OpenReport) {
    switch format {
    case .text:
      for note in report.notes(for: .readWrite) { StandardError.print("Note: in \(id), \(note)") }
    case .json:
      print(
        "opened", "",
        [
          "database": id.description, "new": report.isNew,
          "cutLogs": report.cutLogs.count, "repairedEntries": report.repairedEntryCount,
        ])
    }
  }

  private func noteIndexes(of id: DatabaseID, _ error: DatabaseError) {
    print(
      "indexesRefused",
      "Error: \(id) doesn't get the indexes of the index file: \(error.message)",
      ["database": id.description, "error": error.message])
  }

  private func noteClosing(of id: DatabaseID, _ error: DatabaseError?) {
    guard format == .json || error != nil else { return }
    print(
      "closed", error.map { "Error: closing \(id): \($0.message)" } ?? "",
      ["database": id.description, "error": error?.message])
  }

  /// Tells of a query without its index, once for each shape.
  private func noteRefusal(of query: RefusedQuery) {
    guard let missing = query.error.missingIndex else { return }
    let shape = query.shape
    guard isNew("\(query.database) \(shape) \(missing.isBuilding)") else { return }
    let shown = showsValues ? query.text : shape
    let remedy =
      query.folder.map { missing.remedy(calling: "The index it needs", databasePath: $0) }
      ?? "Give the server a file with the index it needs by --indexes:\n"
      + IndexStanza.text(for: missing.index)
    print(
      "refused", "Refused in \(query.database): \(shown.printable). \(remedy)",
      [
        "database": query.database.description, "query": shown,
        "missingIndex": missing.json(
          databasePath: query.folder, beside: SingleFieldIndex.defaults),
      ])
  }

  /// Whether a refusal was not told before.
  private func isNew(_ refusal: String) -> Bool {
    refusals.withLock { refusals in
      refusals.count < ServeLog.refusalLimit && refusals.insert(refusal).inserted
    }
  }

  /// Tells of clients that speak TLS, once.
  private func noteTLS() {
    guard !hasToldOfTLS.exchange(true, ordering: .relaxed) else { return }
    print(
      "tlsRefused",
      "Refused a client that speaks TLS, which this port doesn't. Perhaps it doesn't see the "
        + "variable FIRESTORE_EMULATOR_HOST.")
  }

  private func noteProgress(
    of index: IndexDefinition, in id: DatabaseID, _ progress: IndexAdministration.Progress
  ) {
    print(
      "building",
      "Building \(index.title) in \(id): \(progress.documentsDone) of "
        + "\(progress.documentsTotal) documents",
      [
        "database": id.description, "index": index.title,
        "documentsDone": progress.documentsDone, "documentsTotal": progress.documentsTotal,
      ])
  }

  /// Tells of the end of a build; of one that can't begin for the same reason again, once.
  private func noteEnd(of index: IndexDefinition, in id: DatabaseID, _ error: DatabaseError?) {
    if let error, !isNew("\(id) \(index.title) \(error.message)") { return }
    print(
      "built",
      error.map { "Error: \(index.title) in \(id) is not created: \($0.message)" }
        ?? "Created \(index.title) in \(id)",
      ["database": id.description, "index": index.title, "error": error?.message])
  }

  /// - Parameters:
  ///   - text: the message for a person; empty for none.
  ///   - members: the message for a program, beside the time and the event.
  private func print(_ event: String, _ text: String, _ members: JSONLine = [:]) {
    switch format {
    case .text where text.isEmpty: break
    case .text: StandardError.print(text.last == "\n" ? String(text.dropLast()) : text)
    case .json:
      let head: JSONLine = ["time": SystemClock().now(), "event": event]
      StandardError.print((head + members).text)
    }
  }
}
