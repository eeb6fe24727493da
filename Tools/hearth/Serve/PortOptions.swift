import ArgumentParser
import Hearth
import HearthServer

/// The options of a server's port, and of the requests that it takes.
struct PortOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen at; any name of loopback means 127.0.0.1 and ::1.",
      valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The number of the port; 0 picks a free one.", valueName: "number"))
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The number of a port for sign-in alone, as tools expect it; 0 picks a free one. The main "
        + "port serves sign-in too.", valueName: "number"))
  var authPort: Int?

  @Option(
    help: ArgumentHelp(
      "A file of access tokens, one a line: each request must bear one of them, in the header "
        + "\"authorization: Bearer TOKEN\". With --auth-tokens signed, they are administrators'.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "The certificate for TLS, a file in PEM form, with those that vouch for it.",
      valueName: "file"), completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp(
      "The private key of the certificate, a file in PEM form.", valueName: "file"),
    completion: .file())
  var tlsKey: String?

  @Flag(
    help: "Listen without tokens where other machines reach. Everyone there may do everything.")
  var insecureBind = false

  @Option(
    help: ArgumentHelp(
      "A host by which clients call the server, beside those of this machine; can be repeated.",
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "An origin whose web pages may call the server, such as https://app.example; can be "
        + "repeated.", valueName: "origin"))
  var allowOrigin: [String] = []

  @Flag(help: "Leave out the console, the page at /console/.")
  var noConsole = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
    guard (0...65_535).contains(authPort ?? 0) else {
      throw ValidationError("--auth-port takes a number from 0 to 65535.")
    }
    guard authPort == nil || authPort == 0 || authPort != port else {
      throw ValidationError("--auth-port and --port need different numbers.")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key need each other.")
    }
    guard !insecureBind || tokenFile == nil else {
      throw ValidationError("--insecure-bind and --token-file exclude each other.")
    }
  }

  /// - Parameter isSigned: whether users' tokens are signed, so that strangers may call.
  /// - Throws: an error for an address that others reach, if nothing is asked of them.
  func validate(allowingStrangers isSigned: Bool) throws {
    guard isSigned || insecureBind || tokenFile != nil || HearthServer.isOnlyThisMachine(host)
    else {
      throw ValidationError(
        "Other machines reach \(host), and everyone who reaches the port may do everything. "
          + "--token-file asks callers for a token; --insecure-bind allows everyone.")
    }
  }

  /// - Throws: ``ToolFailure`` for a file that can't be read, or that is empty.
  func configure(_ server: inout HearthServer) throws {
    if let tokenFile {
      let text = String(decoding: try InputFile(path: tokenFile).text(), as: UTF8.self)
      server.tokens = Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    if let tlsCertificate, let tlsKey {
      server.certificate = ServerCertificate(chain: tlsCertificate, key: tlsKey)
    }
    server.signInPort = authPort
    server.allowsOtherMachines = insecureBind
    server.allowedHosts = Set(allowHost)
    server.allowedOrigins = Set(allowOrigin)
    server.servesConsole = !noConsole
  }

  /// The file of tokens, if other users of the machine can read it.
  var readableTokenFile: String? {
    tokenFile.flatMap { FileDescriptor.isReadableByOthers($0) ? $0 : nil }
  }

  /// - Throws: ``ToolFailure`` for a database that can't be opened; the server's errors.
  func start(_ server: HearthServer) async throws -> RunningServer {
    do throws(DatabaseError) {
      return try await server.start(host: host, port: port)
    } catch {
      guard error.isInUse || error.code == .permissionDenied else { throw error }
      throw ToolFailure(opening: error, creating: true)
    }
  }

  /// The address by which clients on this machine reach the server.
  var shownHost: String {
    switch host {
    case "localhost", "0.0.0.0", "::": "127.0.0.1"
    default: host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
  }
}
