import HearthServer
import Hearth

/// The notice of a server that has begun: what it serves, and the variables for clients.
struct ServedNotice {
  private let host: String
  private let port: Int
  private let signInPort: Int?
  private let folder: String?
  private let database: DatabaseID?
  /// Whether the server speaks TLS alone, which clients don't with the variable.
  private let isSecure: Bool
  /// Whether every caller may do everything.
  private let isOpen: Bool
  /// Whether there is a console.
  private let hasConsole: Bool
  /// Whether users' tokens are signed, so that clients don't call it as an emulator.
  private let isSigned: Bool

  /// - Parameters:
  ///   - folder: the folder of the databases; `nil` for memory.
  ///   - isOpen: whether neither rules nor tokens keep callers from anything.
  init(
    _ server: RunningServer, _ host: String, folder: String?, isSecure: Bool, isOpen: Bool,
    isSigned: Bool, hasConsole: Bool
  ) {
    (self.isSigned, self.hasConsole) = (isSigned, hasConsole)
    (self.isSecure, self.isOpen) = (isSecure, isOpen)
    (port, signInPort, database) = (server.port, server.signInPort, server.onlyDatabase)
    (self.host, self.folder) = (host, folder)
  }

  func print(json isJSON: Bool) throws {
    try OutputWriter.withWriter { writer in
      if isJSON {
        try writer.print(json)
      } else if isSecure || isSigned {
        let ways = (isSecure ? " by TLS" : "") + (isSigned ? ", with signed tokens" : "")
        try writer.print("Serving \(subject)\(ways)\(openness). Clients take as their endpoint:")
        try writer.print("\(host):\(port)")
      } else {
        try writer.print(
          "Serving \(subject) at \(host):\(port)\(openness). Set for Google's clients:")
        for (name, address) in environment { try writer.print("export \(name)=\(address)") }
      }
      if !isJSON, let signInPort, isSecure || isSigned {
        try writer.print("# Sign-in alone: \(host):\(signInPort)")
      }
      if !isJSON, let console { try writer.print("# The console: \(console)") }
    }
  }

  /// The address of the console; `nil` if there is none.
  var console: String? {
    hasConsole ? "\(isSecure ? "https" : "http")://\(host):\(port)/console/" : nil
  }

  private var openness: String {
    isOpen ? ", without rules: every caller may read and write everything" : ""
  }

  private var subject: String {
    guard let folder else { return "databases in memory" }
    return database.map { "\(folder) as \($0)" } ?? "the databases in \(folder)"
  }

  /// The variables by which clients connect.
  private var environment: [(name: String, address: String)] {
    [
      ("FIRESTORE_EMULATOR_HOST", "\(host):\(port)"),
      ("FIREBASE_AUTH_EMULATOR_HOST", "\(host):\(signInPort ?? port)"),
    ]
  }

  private var json: JSONLine {
    var variables = JSONLine()
    if !isSecure, !isSigned {
      for (name, address) in environment { variables.append(name, address) }
    }
    return [
      "host": host, "port": port, "authPort": signInPort, "folder": folder,
      "database": database?.description,
      "tls": isSecure, "open": isOpen, "authTokens": isSigned ? "signed" : "unsigned",
      "environment": variables, "console": console,
    ]
  }
}
