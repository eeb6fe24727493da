import HearthDocumentModel
import HearthTokens

/// A file of private keys, which only its owner may read.
struct KeyFile {
  let path: String

  /// Reads the keys. Makes the file with a new key if there is none.
  ///
  /// - Throws: `unavailable` for a file that can't be read or made; `failedPrecondition` for one
  ///   that others may read; `invalidArgument` for one without usable keys.
  func keys() throws(DatabaseError) -> KeyRing {
    let text = try text()
    do throws(KeyError) {
      return try KeyRing(pem: text)
    } catch {
      throw .invalidArgument("The server can't use \(path): \(error).")
    }
  }

  private func text() throws(DatabaseError) -> String {
    if let text = try existingText() { return text }
    try make(with: try newKey())
    // Another process may have been quicker.
    guard let text = try existingText() else {
      throw DatabaseError(.unavailable, "The server can't read \(path), which it has made.")
    }
    return text
  }

  private func newKey() throws(DatabaseError) -> String {
    do throws(KeyError) {
      return try KeyRing.newKey()
    } catch {
      throw DatabaseError(.unavailable, "The server can't make a key: \(error).")
    }
  }

  /// - Returns: `nil` if there is no file.
  private func existingText() throws(DatabaseError) -> String? {
    let file: PrivateFile?
    do {
      file = try SystemCalls.privateFile(path)
    } catch {
      throw DatabaseError(.unavailable, "The server can't read \(path): \(error)", cause: error)
    }
    guard let file else { return nil }
    guard !file.isReadByOthers else {
      throw DatabaseError(
        .failedPrecondition,
        "Others than its owner may read \(path), which has private keys: chmod 600 \(path)")
    }
    return String(decoding: file.bytes, as: UTF8.self)
  }

  private func make(with text: String) throws(DatabaseError) {
    do {
      try SystemCalls.makePrivateFile(path, Array(text.utf8))
    } catch {
      throw DatabaseError(.unavailable, "The server can't make \(path): \(error)", cause: error)
    }
  }
}
