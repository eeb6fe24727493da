import Hearth

/// One run over an input: reads its records, imports them, and remembers their types.
struct ImportRun {
  let format: InputFormat
  private(set) var types = TypeSummary()
  private(set) var importer: Importer
  let rules: ImportRules

  private var reader: any RecordReader
  /// The fields that `--type` names and no record has had yet.
  private var unseen: [TypedField]

  /// - Parameter typed: the fields that `--type` names, as far as only records can have them.
  init(
    _ format: InputFormat, _ reader: any RecordReader, typed: [TypedField], _ importer: Importer,
    _ rules: ImportRules
  ) {
    self.format = format
    self.reader = reader
    self.importer = importer
    self.rules = rules
    unseen = typed
    self.reader.keepsRecords = rules.rejects?.path != nil
  }

  /// Imports all records.
  ///
  /// - Throws: ``ToolFailure``, which says how many were imported.
  mutating func run() throws {
    do {
      while try step() {}
      try importer.commit()
    } catch {
      throw try importer.failure(after: error)
    }
    guard types.documentCount > 0, let missing = unseen.first else { return }
    let names = types.fields.prefix(40).map(\.name.printable).joined(separator: ", ")
    let done =
      rules.isDryRun
      ? "Nothing was imported (--dry-run)."
      : "Without it, \(Figure.documents(importer.importedCount)) imported."
    throw ToolFailure.badInput(
      "no record has the field \(missing.path) that --type \(missing.path):\(missing.type) names. "
        + "The fields are: \(names).\n\(done)")
  }

  /// Imports the next record; `false` at the end.
  private mutating func step() throws -> Bool {
    do {
      guard let record = try reader.next() else { return false }
      let text = rules.rejects?.path == nil ? [] : reader.recordText
      if !unseen.isEmpty { unseen.removeAll { record.fields[$0.path] != nil } }
      try importer.append(record, text: text)
      types.add(record.fields)
    } catch let error as InputError {
      guard let rejects = rules.rejects, error.kind == .malformed else { throw error }
      guard try reader.skipRefused() else { throw error }
      try rejects.add(error, record: rejects.path == nil ? [] : reader.recordText)
    }
    return true
  }
}
