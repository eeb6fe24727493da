/// A search for one field among the fields of a map whose names and values have their usual forms.
///
/// It is faster than a ``ByteReader``, since it carries no errors. Where the bytes are of another
/// form, or damaged, or end soon behind the value to be passed, it ends without a result, and a
/// reader has to decide.
struct FieldSearch {
  enum Result {
    /// The field's value has this place.
    case found(Int)
    case missing
    case unclear
  }

  private let wanted: FieldName.Mark

  init(for wanted: FieldName.Mark) {
    self.wanted = wanted
  }

  /// Searches the fields of the map whose field count is at `offset`.
  ///
  /// - Complexity: a pass over the names up to the wanted one.
  @inline(__always)
  func result(in bytes: RawSpan, at offset: Int) -> Result {
    guard wanted.isWhole, offset < bytes.byteCount else { return .unclear }
    var left = bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    guard left < 0x80 else { return .unclear }
    let ignoredBits = UInt64.prefixBits(behind: wanted.byteCount)
    var offset = offset &+ 1
    while left > 0 {
      left &-= 1
      guard let (nameCount, head) = bytes.usualName(at: offset) else { return .unclear }
      let place = offset &+ 1 &+ nameCount
      // Other bytes follow a short name in its head. So the wanted bits alone are compared.
      if nameCount == wanted.byteCount, (head ^ wanted.prefix) & ~ignoredBits == 0,
        nameCount <= 8 || bytes.suffixInteger(endingAt: place) == wanted.suffix
      {
        return .found(place)
      }
      // The names are sorted, so none follows that is less.
      if head > wanted.prefix, head & ~UInt64.prefixBits(behind: nameCount) > wanted.prefix {
        return .missing
      }
      guard let end = bytes.endOfUsualValue(at: place) else { return .unclear }
      offset = end
    }
    return offset <= bytes.byteCount ? .missing : .unclear
  }
}
