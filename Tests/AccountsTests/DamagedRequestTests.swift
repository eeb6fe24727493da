import HearthAccounts
import HearthFirestoreJSON
import TestSupport
import Testing

/// Requests that make no sense are refused.
@Suite struct DamagedRequestTests {
  private static let names = [
    "signUp", "signInWithPassword", "signInWithIdp", "signInWithCustomToken",
    "signInWithEmailLink", "lookup", "update", "delete", "createAuthUri", "sendOobCode",
    "resetPassword",
  ]
  private static let addresses =
    names.map { "/v1/accounts:\($0)?key=k" } + ["/v1/token?key=k"]
    + ["", ":lookup", ":update", ":delete", ":batchDelete", ":batchCreate", ":query"].map {
      "/v1/projects/demo-auth/accounts\($0)"
    } + ["/v1/projects/demo-auth:createSessionCookie"]
  private static let fields = [
    "email", "password", "idToken", "localId", "oobCode", "token", "postBody", "requestUri",
    "identifier", "continueUri", "requestType", "grantType", "refreshToken", "newPassword",
    "customAttributes", "validSince", "createdAt", "lastLoginAt", "deleteAttribute",
    "deleteProvider", "users", "localIds", "federatedUserId", "phoneNumber", "displayName",
    "linkProviderUserInfo", "validDuration", "limit", "offset", "sortBy", "expression", "mfa",
    "pendingToken", "hashAlgorithm", "disableUser", "emailVerified", "tenantId", "newEmail",
  ]

  private func value(_ random: inout SplitMix64, depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth < 3 ? 14 : 11), using: &random) {
    case 0: .null
    case 1: .boolean(.random(using: &random))
    case 2: .integer(.random(in: .min ... .max, using: &random))
    case 3: .double(.random(in: -1e300...1e300, using: &random))
    case 4: .string("")
    case 5: .string("ada@example.com")
    case 6: .string("secret1")
    case 7:
      .string(
        [
          "PASSWORD_RESET", "refresh_token", "a.b.c", "{}",
          "providerId=apple.com&id_token={\"sub\":\"x\"}",
        ].randomElement(using: &random) ?? "")
    case 8: .string(String(repeating: "ü/%\u{0}", count: .random(in: 0...200, using: &random)))
    case 9: .string("\(Int64.random(in: .min ... .max, using: &random))")
    case 10: .string("u1")
    case 11: .array((0..<3).map { _ in value(&random, depth: depth + 1) })
    default: object(&random, depth: depth + 1)
    }
  }

  private func object(_ random: inout SplitMix64, depth: Int) -> JSONValue {
    .object(
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (Self.fields.randomElement(using: &random) ?? "", value(&random, depth: depth))
      })
  }

  @Test func noRequestEndsTheServer() async throws {
    let accounts = try await TestAccounts()
    await accounts.administer("", [("localId", "u1"), ("email", "ada@example.com")])
    var random = SplitMix64(seed: 18)
    var statuses: [Int: Int] = [:]
    for _ in 0..<5_000 {
      let address = Self.addresses.randomElement(using: &random) ?? ""
      let request = AccountRequest(
        "POST", address, authorization: Bool.random(using: &random) ? "Bearer owner" : nil,
        json: object(&random, depth: 0))
      let answer = await accounts.answer(request)
      statuses[answer.status, default: 0] += 1
    }
    #expect(Set(statuses.keys).isSubset(of: [200, 400, 401, 403, 501]), "\(statuses)")
    #expect((statuses[200] ?? 0) > 50 && (statuses[400] ?? 0) > 1000, "\(statuses)")
  }

  @Test(arguments: [
    "/identitytoolkit.googleapis.com/", "/identitytoolkit.googleapis.com/v1/accounts:%",
    "/identitytoolkit.googleapis.com/v1/accounts:other?key=k", "/www.googleapis.com//v3",
    "/securetoken.googleapis.com/v1/token/x",
  ])
  func addressesOfSignInWithoutMeaningAreNotFound(target: String) async throws {
    let accounts = try await TestAccounts()
    #expect(await accounts.answer(AccountRequest("POST", target)).status == 404)
  }

  @Test(arguments: [
    "/", "/v1/projects/p/databases/(default)/documents/c", "/emulator/v1/projects/p:securityRules",
    "/emulator/v1/projects/p/databases/(default)/documents", "/v1/projects/p", "",
  ])
  func addressesOfOthersAreLeftToThem(target: String) async throws {
    let accounts = try await TestAccounts()
    let answer = await accounts.service.answer(AccountRequest("POST", target))
    #expect(answer.map(\.status) == nil)
  }

  @Test(arguments: [
    ("/v1/accounts:sendVerificationCode?key=k", "OPERATION_NOT_ALLOWED"),
    ("/v1/accounts:signInWithPhoneNumber?key=k", "OPERATION_NOT_ALLOWED"),
    ("/v2/accounts/mfaEnrollment:start?key=k", "OPERATION_NOT_ALLOWED"),
    ("/v1/projects/p/tenants/t/accounts:lookup", "UNSUPPORTED_TENANT_OPERATION"),
  ])
  func kindsThatAreLeftOutAreRefused(target: String, refusal: String) async throws {
    let accounts = try await TestAccounts()
    let answer = await accounts.answer(
      AccountRequest("POST", target, authorization: "Bearer owner"))
    #expect(answer.refusal == refusal)
    let ofTenant = await accounts.call("signUp", [("tenantId", "t")])
    #expect(ofTenant.refusal == "UNSUPPORTED_TENANT_OPERATION")
  }
}
