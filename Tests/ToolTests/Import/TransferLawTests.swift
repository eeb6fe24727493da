import Foundation
import Hearth
import HearthDocumentModel
import TestSupport
import Testing

/// Random databases, exported, imported and copied by the tool; the seed is printed.
@Suite struct TransferLawTests {
  /// A case is a database and six runs of the tool, so there are fewer than elsewhere.
  private static let rounds = GeneratedCases.count(per: 2_500)

  @Test func anExportImportedAgainAndACopyAreIdentical() async throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<Self.rounds {
      try await withFolder { folder in
        try Self.fill(folder.appending(path: "a.hearth").path, using: &random)
        let original = try await Self.documents(of: "c", in: "a.hearth", folder)
        #expect(original.count > 5)
        let script = """
          hearth export c --recursive --db a.hearth -o c.typed &&
          hearth import c c.typed --format typed --db b.hearth &&
          hearth import d/x/e c.typed --format typed --from c --db d.hearth &&
          hearth copy a.hearth copy.hearth && hearth verify --db copy.hearth
          """
        let run = try await ToolScript.shell(script, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try await Self.documents(of: "c", in: "b.hearth", folder) == original)
        #expect(try await Self.documents(of: "c", in: "copy.hearth", folder) == original)
        let moved = try await Self.documents(of: "d/x/e", in: "d.hearth", folder)
        #expect(
          moved.map { $0.replacing("/documents/d/x/e/", with: "/documents/c/", maxReplacements: 1) }
            == original)
      }
    }
  }

  /// Writes documents of all types, some of them below others, and some below none.
  private static func fill(_ path: String, using random: inout SplitMix64) throws {
    let database = try Database.open(at: path)
    let generator = ValueGenerator()
    var writes: [Write] = []
    for number in 0..<20 {
      var path = "c/\(random.pick(["", "é", "a b", "%2F"]))\(number)"
      while Bool.random(using: &random), path.count < 60 {
        path += "/\(random.pick(["below", "c", "d"]))/\(number % 3)"
      }
      writes.append(.set(try ResourcePath(path), generator.fields(using: &random)))
    }
    // Others are neighbours of the collection by name.
    for path in ["c\u{1}/x", "b/x", "ca/x", "c0/x/c/y"] {
      writes.append(.set(try ResourcePath(path), ["n": 1]))
    }
    for write in writes {
      do {
        _ = try CommitCall([write]).answer(from: database)
      } catch let error as DatabaseError {
        // Some values of the generator are in no document.
        guard error.code == .invalidArgument else { throw error }
      }
    }
    try database.close()
  }

  /// Returns the lines of the typed export without the times of the documents.
  private static func documents(
    of collection: String, in database: String, _ folder: URL
  ) async throws -> [String] {
    let run = try await ToolScript.shell(
      "hearth export \(collection) --recursive --db \(database)", in: folder)
    #expect(run.status == 0, "\(run)")
    return run.output.split(separator: "\n").map {
      String($0).replacing(/,"createTime".*$/, with: "")
    }
  }
}
