import Foundation
import TestSupport

/// The library that stands between a writer and the system's calls; its source tells what it can
/// do.
enum Interposer {
  struct NotCompiled: Error {
    let status: Int32
  }

  /// The environment of a process that the library is loaded into before all others.
  ///
  /// - Parameters:
  ///   - settings: what it is to do.
  ///   - folder: where it is compiled to, unless it was before.
  static func environment(
    with settings: [String: String], in folder: TemporaryFolder
  ) throws -> [String: String] {
    let library = folder.path(of: "Interposer.so")
    if !FileManager.default.fileExists(atPath: library) { try compile(to: library) }
    return settings.merging(["LD_PRELOAD": library]) { $1 }
  }

  private static func compile(to library: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library,
      tests.appendingPathComponent("Interposer/Interposer.c").path, "-ldl", "-lpthread",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else {
      throw NotCompiled(status: compiler.terminationStatus)
    }
  }
}
