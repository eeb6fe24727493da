import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import Testing

@Suite struct KeySetTests {
  private let ring: KeyRing
  private let member: [(String, JSONValue)]

  init() throws {
    ring = try #require(TokenForge.rings.first)
    guard case .array(let members)? = TokenForge.member("keys", of: try ring.keySet()),
      case .object(let first)? = members.first
    else {
      member = []
      return
    }
    member = first
  }

  /// Returns a set of the key with other members; `nil` removes one.
  private func set(_ changes: [String: String?]) -> [UInt8] {
    let kept = member.filter { changes[$0.0] == nil }
    let added = changes.compactMap { name, text in text.map { (name, JSONValue.string($0)) } }
    return JSONValue.object([("keys", .array([.object(kept + added)]))]).text
  }

  @Test func aPublishedSetIsRead() throws {
    let set = try KeySet(try ring.keySet().text)
    #expect(set.keys.map(\.name) == [ring.signingName])
    let token = try WebToken(try SignedTokens(ring).token(TokenForge.claims()))
    #expect(throws: Never.self) { try token.checkSignature(by: set.keys) }
  }

  @Test func optionalMembersMayBeMissing() throws {
    for changes in [["alg": nil], ["use": nil], ["x5t": "a"]] as [[String: String?]] {
      #expect(try KeySet(set(changes)).keys.count == 1)
    }
  }

  @Test func otherKeysAreLeftOut() throws {
    let short = Base64.text(of: [UInt8](repeating: 0xFF, count: 128), .url)
    let others: [[String: String?]] = [
      ["kty": "EC"], ["kty": nil], ["alg": "RS512"], ["use": "enc"], ["kid": nil], ["n": nil],
      ["n": "!"], ["n": short], ["e": nil],
    ]
    for changes in others {
      #expect(throws: KeyError.noKeySet, "\(changes)") { _ = try KeySet(set(changes)) }
    }
    let good = String(decoding: set([:]), as: UTF8.self)
    let bad = String(decoding: set(["kty": "EC"]), as: UTF8.self)
    let both = bad.dropLast(2) + "," + good.dropFirst("{\"keys\":[".count)
    #expect(try KeySet(Array(both.utf8)).keys.count == 1)
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"keys\": {}}", "{\"keys\": []}", "{\"keys\": [1]}", "<html>",
  ])
  func anotherTextIsNoSet(text: String) {
    #expect(throws: KeyError.noKeySet) { _ = try KeySet(Array(text.utf8)) }
  }
}
