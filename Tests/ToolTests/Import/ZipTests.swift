import CZlib
import Foundation
import Testing
import hearth

/// Zip archives as inputs.
@Suite struct ZipTests {
  /// A text that is longer than a chunk when it is unpacked.
  private static let text = Array((0..<20_000).map { "line \($0 % 7) of many\n" }.joined().utf8)

  @Test(arguments: [true, false])
  func readsTheOnlyFile(isPacked: Bool) throws {
    for text in [Self.text, Array("few".utf8), []] {
      var archive = ZipFile()
      archive.add("data/", [])
      archive.add("data/cities.CSV", text, isPacked: isPacked)
      archive.add("__MACOSX/data/._cities.CSV", [1, 2, 3])
      let (bytes, name) = try Self.read(archive.bytes(comment: "PK is no end"))
      #expect(bytes == text)
      #expect(name == "data/cities.CSV")
    }
  }

  @Test func importsCSVFromAnArchive() async throws {
    try await withFolder { folder in
      var archive = ZipFile()
      archive.add("cities.csv", Array("id,n\na,1\nb,2\n".utf8))
      try Data(archive.bytes()).write(to: folder.appending(path: "cities.csv.zip"))
      let run = try await ToolScript.shell(
        "export HEARTH_DB=a.hearth; hearth import c cities.csv.zip --id-field id && hearth count c",
        in: folder)
      #expect(run.status == 0 && run.output == "2\n", "\(run)")
      let piped = try await ToolScript.shell(
        "cat cities.csv.zip | hearth import c - --format csv --db a.hearth", in: folder)
      #expect(piped.status == 65)
      #expect(piped.errors.contains("can't be read from a pipe. Name its file"), "\(piped)")
    }
  }

  @Test func explainsWhatItCantRead() throws {
    var two = ZipFile()
    two.add("a.csv", [65])
    two.add("b.csv", [66])
    #expect(
      Self.message(two.bytes()).hasSuffix(
        ": the zip archive holds 2 files: a.csv, b.csv. Name one: unzip -p FILE a.csv | hearth "
          + "import … -."))
    #expect(Self.message(ZipFile().bytes()).hasSuffix(": the zip archive holds no file."))
    var secret = ZipFile()
    secret.add("a.csv", [65], flags: 1)
    #expect(Self.message(secret.bytes()).contains("a.csv in the archive is encrypted"))
    var odd = ZipFile()
    odd.add("a.csv", [65], method: 14)
    #expect(Self.message(odd.bytes()).contains("is packed in an unusual way"))
  }

  /// Every cut and every flipped byte gives the text or an error, and never stops the process.
  @Test func survivesDamage() throws {
    var archive = ZipFile()
    archive.add("a.csv", Array("id,n\na,1\nb,2\nb,2\n".utf8), isPacked: true)
    let whole = archive.bytes()
    let text = try Self.read(whole).bytes
    for count in 4..<whole.count {
      #expect(Self.message(Array(whole.prefix(count))).contains("the zip archive is damaged"))
    }
    for place in 4..<whole.count {
      var bytes = whole
      bytes[place] ^= 0xff
      if let found = try? Self.read(bytes) { #expect(found.bytes == text, "\(place)") }
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> (bytes: [UInt8], name: String) {
    try withFolder { folder in
      let file = folder.appending(path: "FILE")
      try Data(bytes).write(to: file)
      let source = try ByteSource(path: file.path)
      var unpacked: [UInt8] = []
      while let chunk = try source.next() { unpacked += chunk }
      return (unpacked, source.contentName)
    }
  }

  /// Returns the error of reading `bytes`, with the file's path cut down to its name.
  private static func message(_ bytes: [UInt8]) -> String {
    ToolTests.message { _ = try read(bytes) }.replacing(/\/[^ :]*\/FILE/, with: "FILE")
  }
}

/// A zip archive in the making.
private struct ZipFile {
  private var files: [UInt8] = []
  private var list: [UInt8] = []
  private var count = 0

  mutating func add(
    _ name: String, _ text: [UInt8], isPacked: Bool = false, method: Int? = nil, flags: Int = 0
  ) {
    let packed = isPacked ? bareDeflated(text) : text
    let sum = Int(crc32(0, text, UInt32(text.count)))
    let common =
      number(flags, 2) + number(method ?? (isPacked ? 8 : 0), 2) + number(0, 4) + number(sum, 4)
      + number(packed.count, 4) + number(text.count, 4) + number(name.utf8.count, 2)
    let offset = files.count
    files += [0x50, 0x4b, 3, 4] + number(20, 2) + common + number(2, 2) + Array(name.utf8)
    files += [0xca, 0xfe] + packed
    list += [0x50, 0x4b, 1, 2] + number(20, 2) + number(20, 2) + common + number(0, 2)
    list += number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(offset, 4)
    list += Array(name.utf8)
    count += 1
  }

  func bytes(comment: String = "") -> [UInt8] {
    files + list + [0x50, 0x4b, 5, 6] + number(0, 4) + number(count, 2) + number(count, 2)
      + number(list.count, 4) + number(files.count, 4) + number(comment.utf8.count, 2)
      + Array(comment.utf8)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
