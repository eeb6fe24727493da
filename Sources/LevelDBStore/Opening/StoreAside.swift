package import HearthOrderedStore

/// A new store that gets its name when it is finished. So a store whose making was interrupted is
/// never taken for a complete one.
package struct StoreAside: Sendable {
  package let store: LevelDBStore
  private let path: String
  private let parent: String

  fileprivate static let suffix = ".unfinished"

  /// Makes a store beside `folder`, which must be missing or empty. It is not synced before it is
  /// closed.
  ///
  /// - Parameters:
  ///   - source: a folder that is only read; nothing may be made in it.
  ///   - anchor: the store's anchor (``LevelDBOptions/anchor``).
  /// - Throws: `.occupied` if something is in the way; the errors of opening a store.
  package static func make(
    for folder: String, outside source: String, anchor: [UInt8]
  ) throws(StoreError) -> StoreAside {
    var path = folder
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let parent = try parent(of: path)
    guard !"\(parent)/".hasPrefix("\(try FileSystem.absolutePath(of: source))/") else {
      throw StoreError(
        .occupied, "\(path) lies in \(source), which is only read; name a folder outside of it")
    }
    switch try FileSystem.kind(of: path) {
    case nil: break
    case .file: throw StoreError(.occupied, "\(path) is a file; a database is a folder")
    case .folder:
      guard try FileSystem.names(in: path).isEmpty else {
        throw StoreError(.occupied, "\(path) is not empty; name a folder that is still to be made")
      }
    }
    guard try FileSystem.kind(of: path + suffix) == nil else {
      throw StoreError(
        .occupied, "\(path + suffix) is left of an attempt that was broken off; remove it first")
    }
    var options = LevelDBOptions()
    options.isDurable = false
    options.anchor = anchor
    let store = try LevelDBStore.open(folder: path + suffix, options: options).store
    return StoreAside(store: store, path: path, parent: parent)
  }

  /// Returns the folder that `path` is in, or is to be made in, from the root.
  private static func parent(of path: String) throws(StoreError) -> String {
    guard let slash = path.lastIndex(of: "/") else { return try FileSystem.absolutePath(of: ".") }
    return try FileSystem.absolutePath(of: slash == path.startIndex ? "/" : "\(path[..<slash])")
  }

  /// Gives the store its name, after it was closed.
  package func finish() throws(StoreError) {
    try FileSystem.rename(path + Self.suffix, to: path, in: parent)
  }
}
