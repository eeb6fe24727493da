import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of a session, which only its owner may read. It is replaced whole.
struct SessionFile: Sendable {
  let path: String

  private struct Content: Codable {
    /// The place of the accounts.
    let accounts: String
    let session: Session
  }

  /// Reads the session of a user.
  ///
  /// - Parameter accounts: the place of the accounts.
  /// - Returns: `nil` if there is none, or if it belongs to other accounts.
  /// - Throws: `keychainError` for a file that can't be read, or that others may read.
  func session(of accounts: String) throws(AuthFailure) -> Session? {
    let permissions: Int
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      permissions = attributes[.posixPermissions] as? Int ?? 0
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    } catch {
      throw AuthFailure(
        .keychainError, "The session's file \(path) can't be read.", cause: error)
    }
    guard permissions & 0o077 == 0 else {
      throw AuthFailure(
        .keychainError,
        "Others may read the session's file \(path), which has the user's tokens. Change it by "
          + "'chmod 600 \(path)', or delete it.")
    }
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      let content = try JSONDecoder().decode(Content.self, from: data)
      return content.accounts == accounts ? content.session : nil
    } catch {
      throw AuthFailure(
        .keychainError,
        "The session's file \(path) can't be read. Delete it; the user signs in again then.",
        cause: error)
    }
  }

  /// Writes the session of a user.
  ///
  /// - Throws: `keychainError`.
  func write(_ session: Session, of accounts: String) throws(AuthFailure) {
    let bytes: Data
    do {
      bytes = try JSONEncoder().encode(Content(accounts: accounts, session: session))
    } catch {
      throw AuthFailure(.keychainError, "The session can't be encoded.", cause: error)
    }
    let draft = "\(path).\(UInt32.random(in: 0 ... .max)).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      unlink(draft)
      throw AuthFailure(
        .keychainError, "The session's file \(path) can't be written.", cause: error)
    }
    guard rename(draft, path) == 0 else {
      let failure = failure("written")
      unlink(draft)
      throw failure
    }
  }

  /// Removes the session.
  ///
  /// - Throws: `keychainError`.
  func remove() throws(AuthFailure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("removed") }
  }

  private func failure(_ action: String) -> AuthFailure {
    let reason = String(cString: strerror(errno))
    return AuthFailure(
      .keychainError, "The session's file \(path) can't be \(action): \(reason).")
  }
}
