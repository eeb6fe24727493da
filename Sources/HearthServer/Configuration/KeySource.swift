import FoundationEssentials
import HearthAccounts
import HearthServerTransport
import HearthTokens

/// The place at which a provider publishes its keys.
enum KeySource: Sendable {
  /// The path of a file.
  case file(String)
  case address(HTTPSAddress)

  /// Fetches the keys.
  ///
  /// - Parameter client: the client for addresses.
  func fetch(by client: HTTPSClient) async throws(KeyFetchFailure) -> FetchedKeys {
    switch self {
    case .file(let path): try KeySource.keys(at: path)
    case .address(let address): try await KeySource.keys(at: address, by: client)
    }
  }

  /// Reads the keys in a file.
  static func keys(at path: String) throws(KeyFetchFailure) -> FetchedKeys {
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw KeyFetchFailure("\(path) can't be read: \(SystemCalls.reason(of: error))")
    }
    return FetchedKeys(try keys(in: bytes, from: path))
  }

  private static func keys(
    at address: HTTPSAddress, by client: HTTPSClient
  ) async throws(KeyFetchFailure) -> FetchedKeys {
    let answer: HTTPResponse
    do throws(FetchFailure) {
      answer = try await client.get(address.target, from: address.host, port: address.port)
    } catch {
      throw KeyFetchFailure("\(address.text) can't be fetched: \(error)")
    }
    guard answer.status == 200 else {
      throw KeyFetchFailure("\(address.text) is answered with the status \(answer.status)")
    }
    return FetchedKeys(try keys(in: answer.body, from: address.text), age: answer.cacheAge)
  }

  private static func keys(
    in bytes: [UInt8], from place: String
  ) throws(KeyFetchFailure) -> [VerificationKey] {
    do {
      return try KeySet(bytes).keys
    } catch {
      throw KeyFetchFailure("in \(place), \(error)")
    }
  }
}

extension HTTPResponse {
  /// The seconds for which the answer may be held; `nil` if it doesn't say.
  fileprivate var cacheAge: Int64? {
    for (name, value) in headers where name == "cache-control" {
      for part in value.split(separator: ",") {
        let words = part.split(separator: "=", maxSplits: 1)
          .map { $0.filter { $0 != " " }.lowercased() }
        if words.count == 2, words[0] == "max-age" { return Int64(words[1]) }
      }
    }
    return nil
  }
}

/// The address of a page that is got by HTTPS.
struct HTTPSAddress: Sendable {
  let text: String
  let host: String
  let port: Int
  /// The path with its query.
  let target: String

  /// - Returns: `nil` for a text that is no such address.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
      url.scheme == "https", url.user() == nil, let host = url.host(), !host.isEmpty
    else { return nil }
    let path = url.path(percentEncoded: true)
    self.text = text
    self.host = host
    port = url.port ?? 443
    target = (path.isEmpty ? "/" : path) + (url.query().map { "?\($0)" } ?? "")
  }
}
