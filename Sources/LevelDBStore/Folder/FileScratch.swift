import HearthOrderedStore

/// Scratch room in a file without a name, which is gone with its last reference.
final class FileScratch: StoreScratch {
  private let file: OpenFile

  init(_ file: OpenFile) { self.file = file }

  func append(_ bytes: [UInt8]) throws(StoreError) { try file.append(bytes) }

  func bytes(in range: Range<Int>) throws(StoreError) -> [UInt8] {
    let bytes = try file.contents(in: range)
    guard bytes.count == range.count else {
      throw StoreError(.inputOutput, "a scratch file of the database became shorter")
    }
    return bytes
  }
}

extension StoreFolder {
  /// Makes a file without a name.
  func makeScratchFile() throws(StoreError) -> OpenFile {
    let name = path + "/SCRATCH"
    let file = try OpenFile(name, .replaceAndRead)
    try FileSystem.forget(name)
    return file
  }
}
