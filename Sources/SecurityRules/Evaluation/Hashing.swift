/// Digests of bytes.
enum Hashing {
  /// Returns the checksum with a reflected polynomial, its lowest byte first.
  static func crc32(_ bytes: [UInt8], polynomial: UInt32) -> [UInt8] {
    let table = (0..<256).map { (index: UInt32) -> UInt32 in
      (0..<8).reduce(index) { value, _ in
        value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial
      }
    }
    var checksum: UInt32 = .max
    for byte in bytes {
      checksum = table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ checksum >> 8
    }
    return littleEndian(~checksum)
  }

  /// Returns the digest of RFC 1321.
  static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for block in blocks(of: bytes, isBigEndian: false) {
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      for step in 0..<64 {
        let (mixed, word) =
          switch step / 16 {
          case 0: (b & c | ~b & d, step)
          case 1: (d & b | ~d & c, (5 * step + 1) % 16)
          case 2: (b ^ c ^ d, (3 * step + 5) % 16)
          default: (c ^ (b | ~d), 7 * step % 16)
          }
        let sum = mixed &+ a &+ md5Constants[step] &+ block[word]
        (a, d, c) = (d, c, b)
        b = b &+ rotatedLeft(sum, md5Shifts[step / 16][step % 4])
      }
      state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
    }
    return state.flatMap(littleEndian)
  }

  /// Returns the digest of FIPS 180-4.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var state = sha256Start
    for block in blocks(of: bytes, isBigEndian: true) {
      var words = block
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let first = rotatedRight(early, 7) ^ rotatedRight(early, 18) ^ early >> 3
        let second = rotatedRight(late, 17) ^ rotatedRight(late, 19) ^ late >> 10
        words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
      }
      var v = state
      for index in 0..<64 {
        let first = rotatedRight(v[4], 6) ^ rotatedRight(v[4], 11) ^ rotatedRight(v[4], 25)
        let choice = v[4] & v[5] ^ ~v[4] & v[6]
        let sum = v[7] &+ first &+ choice &+ sha256Constants[index] &+ words[index]
        let second = rotatedRight(v[0], 2) ^ rotatedRight(v[0], 13) ^ rotatedRight(v[0], 22)
        let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
        v = [sum &+ second &+ majority, v[0], v[1], v[2], v[3] &+ sum, v[4], v[5], v[6]]
      }
      state = zip(state, v).map { $0 &+ $1 }
    }
    return state.flatMap { littleEndian($0.byteSwapped) }
  }

  private static func littleEndian(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  private static func rotatedLeft(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func rotatedRight(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// Returns blocks of 16 words, with a bit, zeros and the length in bits after the bytes.
  private static func blocks(of bytes: [UInt8], isBigEndian: Bool) -> [[UInt32]] {
    var padded = bytes + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let length = UInt64(bytes.count) * 8
    padded += (0..<8).map {
      UInt8(truncatingIfNeeded: length >> (8 * (isBigEndian ? 7 - $0 : $0)))
    }
    return stride(from: 0, to: padded.count, by: 64).map { start in
      (0..<16).map { word in
        (0..<4).reduce(0) { value, byte in
          let shift = UInt32(8 * (isBigEndian ? 3 - byte : byte))
          return value | UInt32(padded[start + 4 * word + byte]) << shift
        }
      }
    }
  }
}

extension Hashing {
  private static let md5Shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]

  /// The parts of the sines of 1 to 64, as RFC 1321 has them.
  private static let md5Constants: [UInt32] = (1...64).map {
    UInt32(truncatingIfNeeded: Int64(Mathematics.sine(Double($0)).magnitude * 0x1p32))
  }

  private static let sha256Start = primes.prefix(8).map { fraction($0, isCube: false) }

  /// The parts of the cube roots of the first primes, as FIPS 180-4 has them.
  private static let sha256Constants = primes.map { fraction($0, isCube: true) }

  private static let primes: [UInt64] = (2...311).filter { number in
    !(2..<number).contains { number % $0 == 0 }
  }

  /// Returns the first 32 bits after the point of a square root or cube root.
  private static func fraction(_ number: UInt64, isCube: Bool) -> UInt32 {
    // The root of the number times a power of 2, by bisection in integers.
    var (low, high) = (UInt64(0), UInt64(1) << 36)
    while low < high {
      let middle = (low + high + 1) / 2
      let isBelow =
        isCube
        ? isAtMost(middle, cubed: number)
        : UInt128(middle) * UInt128(middle) <= UInt128(number) << 64
      if isBelow { low = middle } else { high = middle - 1 }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  private static func isAtMost(_ root: UInt64, cubed number: UInt64) -> Bool {
    // The cube has up to 108 bits.
    let square = UInt128(root) * UInt128(root)
    return square * UInt128(root) <= UInt128(number) << 96
  }
}
