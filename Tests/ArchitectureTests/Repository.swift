import SourceStructure
import Testing

/// The checkout from which these tests were compiled.
enum Repository {
  static let checkout: Checkout = {
    // <root>/Tests/ArchitectureTests/Repository.swift
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return Checkout(root: parts.joined(separator: "/"))
  }()

  static var root: String { checkout.root }

  /// Returns every text file of the project, as it is on the disk.
  static func textFiles() throws -> [SourceFile] { try checkout.textFiles() }

  static func swiftFiles() throws -> [SourceFile] {
    let files = try textFiles().filter { $0.path.hasSuffix(".swift") }
    // A check that reads no file would pass.
    try #require(files.contains { $0.path == "Package.swift" })
    try #require(files.contains { $0.path.hasPrefix("Sources/OrderedStore/") })
    return files
  }

  static func file(_ path: String) -> SourceFile? { checkout.file(path) }
}
