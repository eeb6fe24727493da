/// An error of a store, in the store's terms.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// The store was closed.
    case closed
    /// Another process, or this one, holds the store.
    case locked
    /// The folder is missing, or holds something other than a store.
    case notAStore
    /// Something already exists at the place of a new store.
    case occupied
    /// A later release wrote the store.
    case newerFormat
    /// The store was opened for reading only.
    case readOnly
    /// The user may not read or write the files.
    case permission
    /// Bytes on disk are damaged.
    case corrupt
    /// No space is left, or a quota or file-size limit was reached.
    case full
    /// The process, or the system, has no file handle left.
    case tooManyFiles
    /// The operating system refused for another reason.
    case inputOutput
    /// An earlier write failed; nothing more is written until the store is reopened.
    case poisoned
    /// A batch puts the value that marks deleted keys.
    case reservedValue
    /// The process was forked from one that used a store.
    case forked
  }

  package let code: Code
  /// A sentence for a person: the folder, the operation and what to do.
  package let message: String
  /// Words of the layer below, unchanged; `nil` if there are none.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
