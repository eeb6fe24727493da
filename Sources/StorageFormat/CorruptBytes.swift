/// Stored bytes that no version of this format writes.
///
/// The engine turns it into `dataLoss`, with the key that the bytes were found under.
package struct CorruptBytes: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was expected where the bytes broke off, such as `a label`.
  package let what: String
  /// Where, counted from the start of the bytes that were read.
  package let offset: Int

  package init(_ what: String, at offset: Int) {
    self.what = what
    self.offset = offset
  }

  package var description: String { "No \(what) at byte \(offset)." }
}
