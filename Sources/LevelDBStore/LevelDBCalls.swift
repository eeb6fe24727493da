/// How Swift's bytes are handed to LevelDB's C interface.

extension RawSpan {
  /// Calls `body` with these bytes as C wants them; the pointer is valid during the call.
  func withCBytes<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }
}

extension Array<UInt8> {
  /// Calls `body` with these bytes as C wants them; the pointer is valid during the call.
  func withCBytes<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }
}
