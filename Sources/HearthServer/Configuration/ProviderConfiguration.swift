import HearthAccounts
import HearthDocumentModel

/// A provider of sign-in, as the configuration has it.
struct ProviderConfiguration: Sendable {
  let audiences: Set<String>
  let issuers: Set<String>
  let keys: KeySource

  /// Issuers and keys of providers that are known, and needn't be written.
  private static let known: [String: (issuers: [String], keys: String)] = [
    "apple.com": (["https://appleid.apple.com"], "https://appleid.apple.com/auth/keys"),
    "google.com": (
      ["https://accounts.google.com", "accounts.google.com"],
      "https://www.googleapis.com/oauth2/v3/certs"
    ),
  ]

  private static let issuersExample =
    "a list of the names that the provider's tokens have as iss, such as "
    + "[\"https://accounts.example.com\"]"
  private static let keysExample =
    "the address of its key set, such as \"https://accounts.example.com/keys\", or the path of a "
    + "file with it"

  /// - Parameters:
  ///   - id: the provider's id, such as `apple.com`.
  ///   - folder: the folder from which paths begin.
  /// - Throws: `invalidArgument` for a member that is missing, or can't be used.
  init(_ value: ConfiguredValue, id: String, folder: String) throws(DatabaseError) {
    let members = try value.members(["audiences", "issuers", "keys"])
    audiences = try ProviderConfiguration.names(
      in: members["audiences"], "audiences",
      "a list of the ids that your applications have at the provider, such as "
        + "[\"com.example.app\"]", of: value)
    let known = ProviderConfiguration.known[id]
    if members["issuers"] == nil, let known {
      issuers = Set(known.issuers)
    } else {
      issuers = try ProviderConfiguration.names(
        in: members["issuers"], "issuers", ProviderConfiguration.issuersExample, of: value)
    }
    let keysText = try members["keys"]?.text(ProviderConfiguration.keysExample) ?? known?.keys
    guard let keysText else {
      throw value.error("has no keys: write \(ProviderConfiguration.keysExample)")
    }
    keys = try ProviderConfiguration.source(
      keysText, folder: folder, of: members["keys"] ?? value)
  }

  private static func names(
    in list: ConfiguredValue?, _ name: String, _ example: String, of provider: ConfiguredValue
  ) throws(DatabaseError) -> Set<String> {
    guard let list else { throw provider.error("has no \(name): write \(example)") }
    let names = try list.texts(example)
    guard !names.isEmpty else { throw list.error("is empty: write \(example)") }
    return Set(names)
  }

  private static func source(
    _ text: String, folder: String, of value: ConfiguredValue
  ) throws(DatabaseError) -> KeySource {
    guard !text.contains("://") else {
      guard let address = HTTPSAddress(text) else { throw value.wrong(keysExample) }
      return .address(address)
    }
    let path = text.hasPrefix("/") || folder.isEmpty ? text : "\(folder)/\(text)"
    do throws(KeyFetchFailure) {
      // A file that can't be used is better told now than at the first sign-in.
      _ = try KeySource.keys(at: path)
    } catch {
      throw value.error("is of no use: \(error.reason)")
    }
    return .file(path)
  }
}
