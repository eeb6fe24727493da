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

  @Flag(
    help: "Listen at an address that other machines reach. Everyone there may do everything.")
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

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
    guard insecureBind || HearthServer.isOnlyThisMachine(host) else {
      throw ValidationError(
        "Other machines reach \(host), and everyone who reaches the port may do everything. "
          + "--insecure-bind allows that.")
    }
  }

  func configure(_ server: inout HearthServer) {
    server.allowsOtherMachines = insecureBind
    server.allowedHosts = Set(allowHost)
    server.allowedOrigins = Set(allowOrigin)
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
