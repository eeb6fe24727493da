/// Conversions of Swift's bytes for LevelDB's C interface.

extension RawSpan {
  /// Calls `body` with these bytes as C needs them. The pointer is valid during the call.
  func withCBytes<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }
}

extension Array<UInt8> {
  /// Calls `body` with these bytes as C needs them. The pointer is valid during the call.
  func withCBytes<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    unsafe withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }
}
