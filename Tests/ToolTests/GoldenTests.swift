import Foundation
import TestSupport
import Testing

@Suite struct GoldenTests {
  /// Answers `say WORDS` with the words, each on a line, and any other command with nothing.
  private static func say(_ command: String) -> String {
    guard command.hasPrefix("say ") else { return "" }
    return command.dropFirst(4).split(separator: " ").map { "\($0)\n" }.joined()
  }

  private static let script = """
    # Two comments,

    # apart.
    $ say one \\
      two
    one
    two

    # In between.
    $ nothing

    $ say three
    three

    """

  private static func difference(
    in script: String, folder: URL, isRewriting: Bool = false
  ) async throws -> String? {
    try Data(script.utf8).write(to: folder.appending(path: "a.golden"))
    return try await GoldenScript.difference(
      in: "a.golden", folder: folder, isRewriting: isRewriting, evaluate: say)
  }

  @Test func agrees() async throws {
    try await withFolder { folder in
      let difference = try await Self.difference(in: Self.script, folder: folder)
      #expect(difference == nil)
    }
  }

  @Test func showsTheLinesThatDiffer() async throws {
    try await withFolder { folder in
      let script = Self.script.replacing("\none\ntwo", with: "\none\n2\nmore")
      let difference = try await Self.difference(in: script, folder: folder)
      #expect(difference == "a.golden, line 7:\n- 2\n- more\n+ two\n")
    }
  }

  @Test func rewrites() async throws {
    try await withFolder { folder in
      let bare =
        "# Two comments,\n\n# apart.\n$ say one \\\n  two\n# In between.\n$ nothing\n"
        + "stale\n$ say three\n"
      _ = try await Self.difference(in: bare, folder: folder, isRewriting: true)
      let written = try Data(contentsOf: folder.appending(path: "a.golden"))
      #expect(String(decoding: written, as: UTF8.self) == Self.script)
    }
  }

  @Test func namesTheMissingFile() throws {
    try withFolder { folder in
      let difference = try Golden.difference(
        of: "x", from: "b.golden", in: folder, isRewriting: false)
      #expect(difference?.hasPrefix("b.golden is missing") == true)
    }
  }
}
