import Foundation
import HearthOrderedStore

/// A new empty folder, removed with its contents when the last reference is released, or when the
/// process ends.
package final class TemporaryFolder: Sendable {
  package let path: String

  private static let present: Lock<Set<String>> = {
    // References of a whole suite are never released.
    atexit {
      for path in TemporaryFolder.present.withLock({ $0 }) { TemporaryFolder.remove(path) }
    }
    return Lock([])
  }()

  package init() throws {
    let parent = FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("hearth-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
    Self.present.withLock { [path] in _ = $0.insert(path) }
  }

  deinit {
    Self.present.withLock { [path] in _ = $0.remove(path) }
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // A test may have removed it or its rights; the system's cleaning removes the rest.
    }
  }

  /// Returns the path of `name` inside the folder.
  package func path(of name: String) -> String { path + "/" + name }
}
