import HearthOrderedStore

/// The files of a store by its MANIFEST and its folder, read one after the other.
struct FileList {
  let levelDBPath: String
  let manifestName: String
  let manifest: [UInt8]
  /// Names of all files in LevelDB's folder.
  let names: [String]

  /// - Throws: `.corrupt` if a part of the list is missing; `.permission`, `.inputOutput`.
  init(of folder: StoreFolder) throws(StoreError) {
    levelDBPath = folder.levelDBPath
    guard try FileSystem.kind(of: levelDBPath) == .folder else {
      throw StoreError(.corrupt, "the database at \(folder.path) is damaged: store is missing")
    }
    manifestName = try Self.nameOfManifest(in: levelDBPath)
    let path = levelDBPath + "/" + manifestName
    guard let bytes = try FileSystem.contents(of: path) else {
      throw StoreError(.corrupt, "the database is damaged: \(path) is missing")
    }
    manifest = bytes
    names = try FileSystem.names(in: levelDBPath)
  }

  /// Whether LevelDB has added and deleted no file since the list was read.
  func isStill() throws(StoreError) -> Bool {
    guard try Self.nameOfManifest(in: levelDBPath) == manifestName,
      let file = try OpenFile.ifThere(levelDBPath + "/" + manifestName)
    else { return false }
    return try file.byteCount() == manifest.count
  }

  /// Returns the name of the MANIFEST that LevelDB reads or writes.
  static func nameOfManifest(in levelDBPath: String) throws(StoreError) -> String {
    let path = levelDBPath + "/CURRENT"
    guard let bytes = try FileSystem.contents(of: path) else {
      throw StoreError(.corrupt, "the database is damaged: \(path) is missing")
    }
    guard let name = StoreFiles.manifestName(in: bytes) else {
      throw StoreError(.corrupt, "the database is damaged: \(path) names no MANIFEST")
    }
    return name
  }
}
