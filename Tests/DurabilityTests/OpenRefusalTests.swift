import Foundation
import Hearth
import TestSupport
import Testing

/// The reasons for which a database is not opened, each with its own code and words.
@Suite struct OpenRefusalTests {
  private let files: DatabaseFiles

  init() throws {
    files = try DatabaseFiles(commitCount: 2)
  }

  @Test func anotherProcessIsNamedAndWaitedFor() throws {
    let writer = try RunningWriter(["write", files.path, "1", "1"])
    #expect(writer.nextLine() == "open")
    let holder = "process \(writer.processIdentifier) (CrashWriter)"
    expectRefusal(.unavailable, [holder, files.path], at: files.path)
    // The refused attempt did not disturb it.
    #expect(writer.nextLine() == "0 1")
    var options = Database.Options()
    options.lockTimeout = .seconds(600)
    let waiting = Waiting()
    Thread { [path = files.path, options] in
      waiting.end(Result { try Database.open(at: path, options: options).close() })
    }.start()
    _ = writer.kill()
    try waiting.wait()
  }

  @Test func aFolderThatIsNoDatabaseIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    expectRefusal(
      .notFound, ["no database"], at: folder.path(of: "missing"), createsIfMissing: false)
    expectRefusal(.notFound, ["empty"], at: folder.path, createsIfMissing: false)
    let notes = folder.path(of: "notes.txt")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: notes))
    for createsIfMissing in [true, false] {
      expectRefusal(
        .notFound, ["no database", "other files"], at: folder.path,
        createsIfMissing: createsIfMissing)
    }
    expectRefusal(.notFound, ["is a file"], at: notes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
  }

  @Test func aLaterFormatAsksForALaterRelease() throws {
    try files.replace("FORMAT", with: "Hearth database\nformat 2\ndurability synced\n")
    try expectRefusal(.unimplemented, ["format 2", "later release"], of: files)
  }

  /// The process runs as a user without the right to write, since the tests may run as one with
  /// every right.
  @Test func missingRightsAreTold() throws {
    let nobody = "65534"
    let parent = URL(fileURLWithPath: files.path).deletingLastPathComponent().path
    for folder in [parent, files.path, files.path + "/store"] { try allow(0o555, folder) }
    for name in try files.contents().keys where name != "store" {
      try allow(0o444, files.path + "/" + name)
    }
    try allow(0o444, files.path + "/LOCK")
    let lines = try RunningWriter(["open", files.path, nobody]).finish()
    let line = try #require(lines.first)
    #expect(line.hasPrefix("failed: PERMISSION_DENIED: ") && line.contains(files.path), "\(line)")
    for folder in [parent, files.path, files.path + "/store"] { try allow(0o755, folder) }
    for name in try files.contents().keys where name != "store" {
      try allow(0o644, files.path + "/" + name)
    }
    #expect(try files.open().commits == [1, 2])
  }

  private func allow(_ rights: Int, _ item: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: item)
  }

  /// Data that the disk can't read is lost, even if the disk works otherwise.
  @Test(arguments: ["MANIFEST", "CURRENT", "00000"])
  func aDiskThatCannotReadIsLoss(_ name: String) throws {
    let folder = try TemporaryFolder()
    let environment = try Interposer.environment(with: ["UNREADABLE": name], in: folder)
    let writer = try RunningWriter(
      ["count", "c", "--db", files.path], program: "hearth", environment: environment)
    #expect(writer.finish() == [])
    #expect(writer.exitStatus == 74)
    let lines = try RunningWriter(["open", files.path, "0"], environment: environment).finish()
    let line = try #require(lines.first)
    #expect(line.hasPrefix("failed: DATA_LOSS: ") && line.contains("salvage"), "\(line)")
    #expect(line.contains("Input/output error") && line.contains("/store/\(name)"), "\(line)")
    #expect(try files.open().commits == [1, 2])
  }

  @Test func damageToWhatListsTheFilesIsLoss() throws {
    try files.replace("store/CURRENT", with: "")
    try expectRefusal(.dataLoss, ["damaged", "CURRENT"], of: files)
  }
}
