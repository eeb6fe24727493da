import Foundation
package import HearthFirestoreJSON

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Accounts at a server, which answers as Firebase's emulator does.
package struct ServerAccounts: AccountsBackend {
  /// Seconds until a call without an answer fails.
  private static let patience = 60.0

  package let key: String
  package let project: String?
  private let address: String
  private let session: URLSession

  /// - Parameter address: the scheme, the host and the port.
  package init(_ address: String, key: String, project: String?) {
    self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    self.key = key
    self.project = project
    // Nothing of it may be on a disk.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = ServerAccounts.patience
    session = URLSession(configuration: configuration)
  }

  package var name: String { address }

  package func answer(
    _ request: AccountsRequest
  ) async throws(AuthFailure) -> (status: Int, json: JSONValue) {
    guard let url = URL(string: address + request.target) else {
      throw AuthFailure(.internalError, "\(address) is no address of a server.")
    }
    var message = URLRequest(url: url)
    message.httpMethod = request.method
    if let authorization = request.authorization {
      message.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    if let json = request.json {
      message.setValue("application/json", forHTTPHeaderField: "Content-Type")
      message.httpBody = Data(json.text)
    }
    let (body, response) = try await exchange(message)
    guard let status = (response as? HTTPURLResponse)?.statusCode,
      let json = try? JSONValue(parsing: Array(body))
    else {
      throw AuthFailure(.internalError, "\(address) answered with something other than JSON.")
    }
    return (status, json)
  }

  private func exchange(_ message: URLRequest) async throws(AuthFailure) -> (Data, URLResponse) {
    do {
      return try await session.data(for: message)
    } catch {
      throw AuthFailure(
        .networkError, "\(address) can't be reached: \(error.localizedDescription)", cause: error)
    }
  }
}
