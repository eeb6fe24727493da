import Foundation
import Testing
import hearth

@Suite struct ByteSourceTests {
  /// A text that packs well and is longer than a chunk, and its packed form.
  private static let text = Array(
    (0..<20_000).map { "line \($0 % 7) of many\n" }.joined().utf8)

  @Test(arguments: [1, 2, 3, 1000, ByteSource.chunkByteCount])
  func unpacksGzipInChunksOfAnySize(chunkByteCount: Int) throws {
    let packed = gzip(Self.text)
    #expect(packed.count < Self.text.count / 20)
    let source = source(packed, chunkByteCount: chunkByteCount)
    #expect(try all(source) == Self.text)
    #expect(source.bytesRead == packed.count)
    #expect(source.byteCount == packed.count)
  }

  @Test func unpacksConcatenatedAndEmptyMembers() throws {
    let bytes = gzip(Array("one ".utf8)) + gzip([]) + gzip(Array("two".utf8))
    for chunkByteCount in [1, 5, 100] {
      #expect(
        try all(source(bytes, chunkByteCount: chunkByteCount)) == Array("one two".utf8))
    }
    #expect(try all(source(gzip([]))) == [])
  }

  @Test func unpacksWhatGrowsAThousandfoldWithoutLargeChunks() throws {
    let zeros = [UInt8](repeating: 0x30, count: 5_000_000)
    let source = source(gzip(zeros))
    var byteCount = 0
    while let chunk = try source.next() {
      #expect(chunk.count <= ByteSource.chunkByteCount)
      byteCount += chunk.count
    }
    #expect(byteCount == zeros.count)
  }

  @Test func passesPlainBytesThrough() throws {
    for text in ["", "a", "ab", "abc", "\u{1f}"] {
      #expect(try all(source(Array(text.utf8), chunkByteCount: 1)) == Array(text.utf8))
    }
  }

  @Test func namesGzipThatIsCutAtEveryByte() throws {
    let packed = gzip(Array("a few words".utf8))
    for count in 2..<packed.count {
      let message = message { _ = try all(source(Array(packed.prefix(count)))) }
      #expect(message.contains("end too early"), "\(count): \(message)")
    }
  }

  @Test func namesDamagedGzip() throws {
    var packed = gzip(Self.text)
    packed[packed.count - 6] ^= 0x40
    #expect(
      message { _ = try all(source(packed, name: "cities.gz")) }
        == "cities.gz: the gzipped bytes are damaged: incorrect data check, near byte "
        + "\(packed.count) of the packed file. Fetch or pack the file again; `gzip -t` checks it.")
    let garbage = gzip([65]) + Array("garbage".utf8)
    #expect(message { _ = try all(source(garbage)) }.contains("damaged"))
  }

  @Test func readsFiles() throws {
    try withFolder { folder in
      let file = folder.appending(path: "text.gz")
      try Data(gzip(Self.text)).write(to: file)
      let source = try ByteSource(path: file.path)
      #expect(try all(source) == Self.text)
      #expect(source.byteCount == source.bytesRead)

      let missing = folder.appending(path: "missing").path
      #expect(
        message { _ = try ByteSource(path: missing) } == "\(missing): No such file or directory.")
      let error = #expect(throws: InputError.self) {
        _ = try all(ByteSource(path: folder.path))
      }
      #expect(error?.kind == .unreadable)
      #expect(error?.problem == "Is a directory")
      #expect(ExitStatus(.forbidden) == .permission && ExitStatus(.unreadable) == .inputOutput)
    }
  }

  @Test func passesFailuresOn() throws {
    struct Broken: Error, CustomStringConvertible { let description = "the disk is gone" }
    let source = ByteSource(name: "input", byteCount: nil) { _ in throw Broken() }
    #expect(message { _ = try source.next() } == "input: the disk is gone.")
  }

  private func all(_ source: ByteSource) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try source.next() {
      #expect(!chunk.isEmpty)
      bytes += chunk
    }
    return bytes
  }
}
