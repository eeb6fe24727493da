import HearthFirestoreJSON

/// The meaning of an address of sign-in (A§1.1).
struct AccountRoute {
  let method: AccountMethod
  /// The project that the address names; `nil` for one that a key tells.
  let project: String?
  /// Whether errors have the name of a code.
  let namesCode: Bool

  private init(_ method: AccountMethod, project: String? = nil, namesCode: Bool = false) {
    self.method = method
    self.project = project
    self.namesCode = namesCode
  }

  /// The hosts of production, of which clients put one before the path.
  private static let hosts: Set<String> = [
    "identitytoolkit.googleapis.com", "www.googleapis.com", "securetoken.googleapis.com",
    "securetoken.google.com",
  ]

  /// Whether a path begins with a host of sign-in, so that no other service answers it.
  static func isOfSignIn(_ path: some StringProtocol) -> Bool {
    hosts.contains { path.hasPrefix("/\($0)/") }
  }

  /// - Parameter path: the path, still percent-encoded.
  /// - Returns: `nil` for an address that means nothing here.
  init?(_ verb: String, path: some StringProtocol) {
    var segments: [String] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let segment = String(segment).percentDecoded() else { return nil }
      segments.append(segment)
    }
    if let host = segments.first, AccountRoute.hosts.contains(host) { segments.removeFirst() }
    switch segments.first {
    case "identitytoolkit" where verb == "POST" || segments.last == "getProjectConfig":
      self.init(old: Array(segments.dropFirst()))
    case "v1": self.init(v1: verb, Array(segments.dropFirst()))
    case "v2": self.init(v2: verb, Array(segments.dropFirst()))
    case "emulator": self.init(emulator: verb, Array(segments.dropFirst()))
    default:
      guard verb == "GET" else { return nil }
      self.init(ofReaders: segments)
    }
  }

  /// Reads an address of readers of tokens: production's, or the usual one.
  private init?(ofReaders segments: [String]) {
    switch segments {
    case [".well-known", "jwks.json"],
      ["service_accounts", "v1", "jwk", "securetoken@system.gserviceaccount.com"]:
      self.init(.keySet, namesCode: true)
    case [".well-known", "openid-configuration"]: self.init(.discovery, namesCode: true)
    default:
      guard segments.count == 3, segments.dropFirst() == [".well-known", "openid-configuration"]
      else { return nil }
      self.init(.discovery, project: segments[0], namesCode: true)
    }
  }

  private init?(old segments: [String]) {
    guard segments.count == 3, segments[0] == "v3", segments[1] == "relyingparty" else {
      return nil
    }
    switch segments[2] {
    case "getProjectConfig": self.init(.projectConfig)
    case "getRecaptchaParam": self.init(.recaptchaParams)
    default:
      guard let method = AccountMethod.old[segments[2]] else { return nil }
      self.init(method)
    }
  }

  private init?(v1 verb: String, _ segments: [String]) {
    guard let first = segments.first else { return nil }
    switch (verb, first, segments.count) {
    case ("POST", "token", 1): self.init(.token, namesCode: true)
    case ("GET", "projects", 1): self.init(.projectConfig)
    case ("GET", "recaptchaParams", 1): self.init(.recaptchaParams)
    case ("GET", "sessionCookiePublicKeys", 1): self.init(.keySet)
    case ("POST", _, 1):
      guard let name = AccountRoute.verb(of: first, after: "accounts"),
        let method = AccountMethod.named[name]
      else { return nil }
      self.init(method)
    case (_, "projects", 2...): self.init(project: verb, Array(segments.dropFirst()))
    default: return nil
    }
  }

  /// Reads an address below `/v1/projects`.
  private init?(project verb: String, _ segments: [String]) {
    let project = segments[0]
    switch (verb, segments.count > 1 ? segments[1] : nil, segments.count) {
    case (_, "tenants", 2...): self.init(.tenant, project: project)
    case ("POST", nil, _) where project.hasSuffix(":createSessionCookie"):
      self.init(.createSessionCookie, project: String(project.dropLast(20)))
    case ("POST", "accounts", 2): self.init(.createAccount, project: project)
    case ("GET", "accounts:batchGet", 2): self.init(.batchGet, project: project)
    case ("POST", let call?, 2):
      guard let name = AccountRoute.verb(of: call, after: "accounts"),
        let method = AccountMethod.ofProject[name]
      else { return nil }
      self.init(method, project: project)
    default: return nil
    }
  }

  private init?(v2 verb: String, _ segments: [String]) {
    switch (verb, segments.first, segments.count) {
    case ("GET", "passwordPolicy", 1): self.init(.passwordPolicy, namesCode: true)
    case ("GET", "recaptchaConfig", 1): self.init(.recaptchaConfig, namesCode: true)
    case ("POST", "accounts:revokeToken", 1): self.init(.revokeToken, namesCode: true)
    case ("POST", "accounts", 2): self.init(.refused, namesCode: true)
    case (_, "projects", 3...):
      let project = segments[1]
      switch (verb, segments[2]) {
      case ("GET", "config") where segments.count == 3:
        self.init(.getConfig, project: project, namesCode: true)
      case ("PATCH", "config") where segments.count == 3:
        self.init(.patchConfig, project: project, namesCode: true)
      case (_, "tenants"): self.init(.tenant, project: project, namesCode: true)
      case (_, "defaultSupportedIdpConfigs"), (_, "oauthIdpConfigs"), (_, "inboundSamlConfigs"):
        self.init(.missing(segments[2]), project: project, namesCode: true)
      default: return nil
      }
    default: return nil
    }
  }

  private init?(emulator verb: String, _ segments: [String]) {
    if segments == ["action"], verb == "GET" {
      self.init(.action, namesCode: true)
      return
    }
    guard segments.count == 4, segments[0] == "v1", segments[1] == "projects" else { return nil }
    let method: AccountMethod
    switch (verb, segments[3]) {
    case ("DELETE", "accounts"): method = .clearAccounts
    case ("GET", "config"): method = .emulatorConfig
    case ("PATCH", "config"): method = .patchEmulatorConfig
    case ("GET", "oobCodes"): method = .oobCodes
    case ("GET", "verificationCodes"): method = .verificationCodes
    default: return nil
    }
    self.init(method, project: segments[2], namesCode: true)
  }

  private static func verb(of segment: String, after name: String) -> String? {
    segment.hasPrefix("\(name):") ? String(segment.dropFirst(name.count + 1)) : nil
  }
}
