import FoundationEssentials
import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON

/// The file with the configuration of sign-in:
///
/// ```json
/// {
///   "providers": {"apple.com": {"audiences": ["com.example.app"]}},
///   "authorizedDomains": ["app.example.com"],
///   "passwordPolicy": {"minPasswordLength": 10, "containsNumericCharacter": true},
///   "emailEnumerationProtection": true,
///   "oneAccountPerEmail": true
/// }
/// ```
struct SignInFile {
  let path: String

  /// - Throws: `unavailable` for a file that can't be read; `invalidArgument` for one that says
  ///   something else, with the place.
  func read() throws(DatabaseError) -> SignInConfiguration {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: try contents())
    } catch let error as JSONError {
      throw .invalidArgument("\(path), \(error)")
    } catch {
      let reason = SystemCalls.reason(of: error)
      throw DatabaseError(.unavailable, "The server can't read \(path): \(reason)", cause: error)
    }
    return try SignInConfiguration(ConfiguredValue(json: json, file: path, place: ""))
  }

  private func contents() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }
}

/// The configuration of sign-in, as a file has it.
struct SignInConfiguration {
  private(set) var settings = SettingChanges()
  private(set) var passwordPolicy = PasswordPolicy()
  /// The providers by their ids.
  private(set) var providers: [String: ProviderConfiguration] = [:]

  /// The configuration of a server without a file.
  init() {}

  /// - Throws: `invalidArgument` for a member that can't be used.
  init(_ file: ConfiguredValue) throws(DatabaseError) {
    let members = try file.members([
      "providers", "authorizedDomains", "passwordPolicy", "emailEnumerationProtection",
      "oneAccountPerEmail",
    ])
    if let providers = members["providers"] { try read(providers) }
    settings.authorizedDomains = try members["authorizedDomains"]
      .map(SignInConfiguration.domains)
    if let policy = members["passwordPolicy"] { passwordPolicy = try PasswordPolicy(policy) }
    settings.protectsEmails = try members["emailEnumerationProtection"]?.flag()
    if let isAlone = try members["oneAccountPerEmail"]?.flag() {
      settings.allowsDuplicateEmails = !isAlone
    }
  }

  private mutating func read(_ list: ConfiguredValue) throws(DatabaseError) {
    let example =
      "an object with a member for each provider, such as "
      + "{\"apple.com\": {\"audiences\": [\"com.example.app\"]}}"
    let folder = list.file.lastIndex(of: "/").map { String(list.file[..<$0]) } ?? ""
    for (id, value) in try list.entries(of: example) {
      providers[id] = try ProviderConfiguration(value, id: id, folder: folder)
    }
  }

  private static func domains(_ list: ConfiguredValue) throws(DatabaseError) -> [String] {
    var domains: [String] = []
    for element in try list.elements("a list of domains, such as [\"app.example.com\"]") {
      let right = "a domain without scheme, port and path, such as \"app.example.com\""
      let domain = try element.text(right)
      guard domain.utf8.allSatisfy({ isPart($0) }), domain.first != ".", domain.last != "." else {
        throw element.wrong(right)
      }
      domains.append(domain.lowercased())
    }
    return domains
  }

  /// Whether a byte can be one of a domain's.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension PasswordPolicy {
  /// - Throws: `invalidArgument` for a member that can't be used.
  fileprivate init(_ policy: ConfiguredValue) throws(DatabaseError) {
    self.init()
    let lengths = ["minPasswordLength", "maxPasswordLength"]
    let members = try policy.members(lengths + CharacterClass.allCases.map(\.rawValue))
    if let minimum = members[lengths[0]] {
      minimumLength = try minimum.number(in: PasswordPolicy.minimumLengths)
    }
    if let maximum = members[lengths[1]] {
      maximumLength = try maximum.number(in: Int64(minimumLength)...Int64(PasswordPolicy.longest))
    }
    for one in CharacterClass.allCases where try members[one.rawValue]?.flag() == true {
      classes.insert(one)
    }
  }
}
