/// The value that stands for a delete until LevelDB may be given the delete itself (``DeadKeys``).
///
/// It is reserved: a key that has it reads as absent, and a batch that puts it is refused. No
/// record of a database consists of these bytes, since they begin a varint and don't end it.
enum DeadValue {
  static let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  /// Whether `count` bytes at `start` are the dead value.
  @inline(__always)
  static func matches(_ start: UnsafePointer<CChar>?, _ count: Int) -> Bool {
    guard count == 4, let start = unsafe start else { return false }
    return unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self) == .max
  }

  static func matches(_ value: RawSpan) -> Bool {
    guard value.byteCount == 4 else { return false }
    return unsafe value.unsafeLoadUnaligned(as: UInt32.self) == .max
  }

  static func matches(_ value: ArraySlice<UInt8>) -> Bool {
    value.count == 4 && value.allSatisfy { $0 == 0xFF }
  }
}
