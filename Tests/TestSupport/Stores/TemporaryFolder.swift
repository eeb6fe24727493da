import Foundation

/// A new empty folder, removed with everything in it when the last reference goes.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let parent = FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("hearth-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // A test may have removed it or taken away its rights; the system's cleaning does the rest.
    }
  }

  /// The path of `name` inside.
  package func path(of name: String) -> String { path + "/" + name }
}
