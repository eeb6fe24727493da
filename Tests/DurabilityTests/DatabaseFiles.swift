import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthLevelDBStore
import HearthStorageFormat
import TestSupport
import Testing

/// The files of a database as a killed process leaves them, for a test to damage and to open.
///
/// Commit `n`, counted from 1, sets the documents `c/n` and `c/latest` with the field `n`.
struct DatabaseFiles {
  let path: String
  /// End of the log before the first of these commits, and after each.
  let logEnds: [Int]
  private let folder: TemporaryFolder
  static let log = "000003.log"

  init(commitCount: Int, isDurable: Bool = true) throws {
    folder = try TemporaryFolder()
    let original = folder.path(of: "original")
    path = folder.path(of: "killed")
    var options = Database.Options()
    options.isDurable = isDurable
    // A socket can't be copied.
    options.servesAdministration = false
    let database = try Database.open(at: original, options: options)
    var ends = [try Self.byteCount(of: original + "/store/" + Self.log)]
    for number in 1..<commitCount + 1 {
      var batch = database.batch()
      let fields: MapValue = [
        "n": .integer(Int64(number)), "tags": ["a", .integer(Int64(number))],
      ]
      batch.setData(fields, for: try database.document("c/\(number)"))
      batch.setData(fields, for: try database.document("c/latest"))
      try batch.commit()
      ends.append(try Self.byteCount(of: original + "/store/" + Self.log))
    }
    logEnds = ends
    // The files on the disk while the process runs are those that a kill leaves.
    try FileManager.default.copyItem(atPath: original, toPath: path)
    try database.close()
  }

  private static func byteCount(of file: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return try #require(attributes[.size] as? Int)
  }

  // MARK: Changing files

  func change(_ name: String = "store/" + log, _ body: (inout [UInt8]) -> Void) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    var bytes =
      FileManager.default.fileExists(atPath: url.path) ? [UInt8](try Data(contentsOf: url)) : []
    body(&bytes)
    try Data(bytes).write(to: url)
  }

  func replace(_ name: String, with text: String) throws {
    try change(name) { $0 = Array(text.utf8) }
  }

  /// Marks the files as those of a database that was open without syncs when the machine was
  /// switched off.
  func pretendPowerLoss() throws {
    try replace("UNSYNCED", with: "another-start-of-the-machine\n")
  }

  /// Returns the bytes of every file except the lock, which names its last reader.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let file = path + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), name != "LOCK"
      else { continue }
      contents[name] = isFolder.boolValue ? Data() : try Data(contentsOf: URL(filePath: file))
    }
    return contents
  }

  // MARK: Opening the database

  /// Opens the database, checks it, and closes it.
  ///
  /// - Returns: the report of the opening, and the commits that exist.
  func open(isDurable: Bool = true) throws -> (report: OpenReport, commits: [Int]) {
    var options = Database.Options()
    options.createsIfMissing = false
    options.isDurable = isDurable
    let database = try Database.open(at: path, options: options)
    let report = database.openReport
    let commits = try readCommits(database)
    try database.close()
    try expectSound(path)
    return (report, commits)
  }

  /// Reads the commits. It is a function of its own, so that its views are released when it
  /// returns.
  private func readCommits(_ database: Database) throws -> [Int] {
    let documents = try database.collection("c").query.order(by: "n").getDocuments().documents
    var commits: [Int] = []
    for document in documents where document.id != "latest" {
      commits.append(try #require(Int(document.id)))
    }
    let latest = try database.document("c/latest").getDocument().value("n")
    #expect(latest == commits.last.map { .integer(Int64($0)) })
    return commits
  }
}

/// Expects that the indexes of a closed database agree with its documents.
func expectSound(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let engine = try Engine(LevelDBStore.open(folder: path).store)
  let report = try engine.verify()
  #expect(report.isClean, "\(report.problems)", sourceLocation: sourceLocation)
  try engine.close()
}

/// Expects that opening the database is refused with `code` and a message with all of `words`, and
/// that the files on the disk stay unchanged.
func expectRefusal(
  _ code: DatabaseError.Code, _ words: [String], of files: DatabaseFiles,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let before = try files.contents()
  expectRefusal(code, words, at: files.path, sourceLocation: sourceLocation)
  let after = try files.contents()
  let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
  #expect(changed == [], sourceLocation: sourceLocation)
}

func expectRefusal(
  _ code: DatabaseError.Code, _ words: [String], at path: String, createsIfMissing: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var options = Database.Options()
  options.createsIfMissing = createsIfMissing
  do throws(DatabaseError) {
    _ = try Database.open(at: path, options: options)
    Issue.record("\(path) was opened", sourceLocation: sourceLocation)
  } catch {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    for word in words {
      #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation)
    }
  }
}
