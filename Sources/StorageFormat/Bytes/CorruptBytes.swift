/// Stored bytes that no version of this format writes.
///
/// The engine turns it into `dataLoss`, and adds the key that the bytes were found under.
package struct CorruptBytes: Error, Sendable, Equatable, CustomStringConvertible {
  /// The part that was expected and not found, such as `label`.
  package let what: String
  /// The offset of the fault from the start of the bytes that were read.
  package let offset: Int

  package init(_ what: String, at offset: Int) {
    self.what = what
    self.offset = offset
  }

  package var description: String { "No \(what) at byte \(offset)." }
}
