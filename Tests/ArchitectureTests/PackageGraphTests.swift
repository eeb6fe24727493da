import SourceStructure
import Testing

/// The products that an application links build nothing that only the server needs.
@Suite struct PackageGraphTests {
  private static let servers: Set<String> = [
    "swift-nio", "swift-nio-http2", "swift-nio-ssl", "swift-protobuf",
  ]

  /// Returns the targets and packages that a target depends on, itself included.
  private static func closure(of target: String, in manifest: SourceFile) -> Set<String> {
    let dependencies = ManifestRule.dependencies(in: manifest)
    var found: Set<String> = []
    var pending = [target]
    while let name = pending.popLast() {
      if found.insert(name).inserted { pending += dependencies[name] ?? [] }
    }
    return found
  }

  @Test func theLibrariesBuildNothingOfTheServers() throws {
    let manifest = try #require(Repository.file("Package.swift"))
    // The check would find nothing if it found nothing at all.
    #expect(Self.closure(of: "HearthServer", in: manifest).isSuperset(of: Self.servers))
    for product in ["Hearth", "HearthFirebase", "HearthAuth"] {
      let closure = Self.closure(of: product, in: manifest)
      #expect(closure.contains("HearthDocumentEngine"))
      #expect(closure.isDisjoint(with: Self.servers))
    }
  }
}
