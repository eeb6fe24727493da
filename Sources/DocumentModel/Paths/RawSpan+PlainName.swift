extension RawSpan {
  /// Whether the UTF-8 text is a field path of one name without backticks. Most field paths are
  /// (§1.1).
  package var isPlainFieldName: Bool {
    guard !isEmpty, !byte(at: 0).isDigit else { return false }
    for offset in 0..<byteCount where !byte(at: offset).mayStandInPlainName { return false }
    return true
  }

  private func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}

extension String {
  /// Whether a field of this name needs no backticks (§1.1).
  package var isPlainFieldName: Bool { utf8.span.bytes.isPlainFieldName }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  fileprivate var mayStandInPlainName: Bool {
    // Setting the bit makes letters lowercase.
    (self | 0x20) &- UInt8(ascii: "a") < 26 || isDigit || self == UInt8(ascii: "_")
  }
}
