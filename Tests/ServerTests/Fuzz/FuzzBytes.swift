import TestSupport

/// Bytes such as no well-behaved client sends, which follow from a seed.
struct FuzzBytes: Sendable {
  var random: SplitMix64

  private static let streamPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  // MARK: Messages

  /// Returns a message of the protocol with a few faults, and now and then without one.
  mutating func mutated(_ message: [UInt8]) -> [UInt8] {
    var bytes = message
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes.insert(contentsOf: noise(upTo: 40), at: place)
      // No text has such a byte.
      case 2: if place < bytes.count { bytes[place] = 0xFF }
      case 3:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      // A field that no message has, of any kind.
      case 4: bytes += [0xC2 + UInt8.random(in: 0..<6, using: &random), 0x3E] + noise(upTo: 12)
      // Groups inside each other.
      case 5: bytes += [UInt8](repeating: 0x0B, count: random.pick([1, 200, 20_000]))
      case 6: bytes += nested(random.pick([10, 150, 5_000]))
      default: bytes += bytes.prefix(10_000)
      }
    }
    return bytes
  }

  /// Returns messages inside each other, each the first field of the one around it.
  private func nested(_ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<depth where bytes.count < 100_000 {
      var count = bytes.count
      var length: [UInt8] = []
      while count > 127 {
        length.append(UInt8(count & 127) | 128)
        count >>= 7
      }
      bytes = [0x0A] + length + [UInt8(count)] + bytes
    }
    return bytes
  }

  /// Puts a message into the frame of a call, which may claim something else.
  mutating func framed(_ message: [UInt8]) -> [UInt8] {
    var length = UInt32(message.count)
    var flag: UInt8 = 0
    switch Int.random(in: 0..<40, using: &random) {
    case 0: length += UInt32.random(in: 1...1_000, using: &random)
    case 1: length = random.pick([.max, 1 << 31, 17 << 20])
    case 2: length /= 2
    case 3: flag = random.pick([1, 2, 255])
    default: break
    }
    return [flag] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + message
  }

  /// Returns headers beside the necessary ones of a call.
  mutating func headers() -> [(String, String)] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      [("grpc-timeout", random.pick(["1n", "0S", "99999999H", "-1S", "x", "", "100000000S"]))]
    case 1: [("grpc-encoding", random.pick(["gzip", "br", ""]))]
    case 2:
      [("google-cloud-resource-prefix", random.pick(["", "projects/", "x/../y", "\u{1F600}"]))]
    case 3: [("x-long", String(repeating: "x", count: random.pick([1_000, 20_000])))]
    case 4: [("authorization", random.pick(["Bearer", "Bearer owner", "Basic =", "\u{FF}"]))]
    case 5: [("content-length", random.pick(["0", "-1", "99999999999999999999"]))]
    case 6: (0..<300).map { ("x-\($0)", "\($0)") }
    default: []
    }
  }

  // MARK: Connections

  /// Returns what a client sends over a connection of HTTP/2 without any regard to its rules.
  mutating func frames() -> [UInt8] {
    var bytes = FuzzBytes.streamPreface + frame(type: 4, flags: 0, stream: 0, [])
    if random.oneIn(8) { bytes.removeFirst(Int.random(in: 0...20, using: &random)) }
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      let type = UInt8.random(in: 0...12, using: &random)
      let count: Int
      switch type {
      case 3, 8: count = random.oneIn(4) ? 3 : 4
      case 4: count = random.oneIn(4) ? 5 : 6
      case 6: count = 8
      default: count = Int.random(in: 0...60, using: &random)
      }
      bytes += frame(
        type: type, flags: random.pick([0, 1, 4, 5, 8, 0x20, 0xFF]),
        stream: random.pick([0, 1, 1, 3, 5, 2, .max]), noise(count))
    }
    if random.oneIn(8) { bytes.removeLast(Int.random(in: 1...8, using: &random)) }
    return bytes
  }

  private mutating func frame(
    type: UInt8, flags: UInt8, stream: UInt32, _ body: [UInt8]
  ) -> [UInt8] {
    let length =
      random.oneIn(20) ? UInt32.random(in: 0...0xFF_FFFF, using: &random) : UInt32(body.count)
    return [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [type, flags]
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) } + body
  }

  /// Returns a request of HTTP/1.1 with faults.
  mutating func request(_ method: String, _ path: String, _ body: String) -> [UInt8] {
    var path = path
    switch Int.random(in: 0..<10, using: &random) {
    case 0: path += random.pick(["%", "%zz", "/%2e%2e/%2e%2e/etc", "?a=%FF", "//", "/\u{1F600}"])
    case 1: path += String(repeating: "/a", count: random.pick([50, 5_000]))
    case 2: path += "?" + random.pick(["x=1", "pageSize=x", "mask.fieldPaths=`", "$alt=proto"])
    default: break
    }
    var body = Array(body.utf8)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: body = [UInt8](repeating: UInt8(ascii: random.oneIn(2) ? "[" : "{"), count: 20_000)
    case 1: body = noise(upTo: 100)
    case 2: body = Array(body.prefix(Int.random(in: 0...body.count, using: &random)))
    case 3: if !body.isEmpty { body[Int.random(in: 0..<body.count, using: &random)] ^= 0x11 }
    default: break
    }
    let length =
      random.oneIn(8)
      ? random.pick(["-1", "x", "9999999999999", "\(body.count + 9)"]) : "\(body.count)"
    let host = random.pick(["localhost", "localhost", "127.0.0.1", "example.com", ""])
    let head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    var bytes = Array(head.utf8)
    if random.oneIn(8) { bytes += Array("Transfer-Encoding: chunked\r\n\r\nzz\r\n".utf8) }
    if random.oneIn(8) { bytes += [UInt8](repeating: UInt8(ascii: "h"), count: 70_000) }
    bytes += Array("Content-Length: \(length)\r\n\r\n".utf8) + body
    return random.oneIn(10) ? Array(bytes.prefix(bytes.count / 2)) : bytes
  }

  mutating func noise(upTo limit: Int) -> [UInt8] {
    noise(Int.random(in: 0...limit, using: &random))
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}
