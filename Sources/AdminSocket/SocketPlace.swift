import HearthDocumentModel

/// The location of a database's admin socket.
///
/// | name | where | what |
/// |---|---|---|
/// | `admin.sock` | the database's folder | the socket, unless its path is too long for one |
/// | `admin.path` | the database's folder | otherwise: the path of the socket, alone |
/// | `<hash>.sock` | a runtime folder of the user | that socket |
///
/// The runtime folder is `$XDG_RUNTIME_DIR/hearth`, or else `hearth-<uid>` in the system's folder
/// for temporary files.
///
/// The process that has the database open owns these names. Files with these names at the time of
/// opening were left by a process that is gone.
struct SocketPlace {
  /// The path of the socket.
  let path: String
  private let pointer: String?

  private static let name = "/admin.sock"
  private static let pointerName = "/admin.path"

  /// Creates the place for a server of the database in `folder`, whose path may be long.
  ///
  /// - Throws: ``SystemFailure`` if the runtime folder can't be made, or is another user's.
  init(serving folder: String, runtimeFolder: String? = nil) throws(SystemFailure) {
    let folder = try FileCalls.absolutePath(of: folder)
    let direct = folder + SocketPlace.name
    // These files were left by a process that is gone, perhaps in a folder that was renamed since.
    try FileCalls.remove(direct)
    try FileCalls.remove(folder + SocketPlace.pointerName)
    guard direct.utf8.count > UnixSocket.maximumPathByteCount else {
      path = direct
      pointer = nil
      return
    }
    let runtime = runtimeFolder ?? SocketPlace.runtimeFolder()
    try FileCalls.makePrivateFolder(runtime)
    path = "\(runtime)/\(SocketPlace.hash(folder)).sock"
    pointer = folder + SocketPlace.pointerName
    try FileCalls.write(path + "\n", to: folder + SocketPlace.pointerName)
  }

  /// Removes the names. Called when the server no longer listens.
  func remove() throws(SystemFailure) {
    try FileCalls.remove(path)
    if let pointer { try FileCalls.remove(pointer) }
  }

  /// Connects to the process that serves the database in `folder`.
  ///
  /// - Returns: `nil` if no process does.
  /// - Throws: ``SystemFailure``: forbidden if the socket is another user's; out of time if the
  ///   connection was not accepted within `seconds`.
  static func connect(
    to folder: String, waiting seconds: Int
  ) throws(SystemFailure) -> UnixSocket? {
    do throws(SystemFailure) {
      let folder = try FileCalls.absolutePath(of: folder)
      var path = folder + SocketPlace.name
      if let pointed = try FileCalls.text(of: folder + SocketPlace.pointerName) {
        path = pointed.last == "\n" ? String(pointed.dropLast()) : pointed
      }
      guard path.utf8.count <= UnixSocket.maximumPathByteCount else { return nil }
      return try UnixSocket.connected(to: path, waiting: seconds)
    } catch {
      if error.isMissing || error.isRefused { return nil }
      throw error
    }
  }

  private static func runtimeFolder() -> String {
    if let folder = OwnProcess.environment("XDG_RUNTIME_DIR") { return folder + "/hearth" }
    return "\(OwnProcess.temporaryFolder)/hearth-\(OwnProcess.user)"
  }

  private static func hash(_ folder: String) -> String {
    var hash = StableHash()
    hash.combine(folder.utf8.span.bytes)
    return String(hash.value, radix: 16)
  }
}
