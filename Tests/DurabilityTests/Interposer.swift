import Foundation
import TestSupport

/// The library between a writer and the system's calls. Its source says what it can do.
enum Interposer {
  struct NotCompiled: Error {
    let status: Int32
  }

  /// Returns the environment of a process that loads the library before all others.
  ///
  /// - Parameters:
  ///   - settings: the settings for the library.
  ///   - folder: the folder in which it is compiled, unless that has been done.
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
