import FoundationEssentials
import Testing

/// The checkout that these tests were compiled from.
enum Repository {
  static let root: String = {
    // <root>/Tests/ArchitectureTests/Repository.swift
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// The folders that hold what the project wrote; everything else beside them is made by tools.
  static let folders = ["Sources", "Tests", "Tools", "Benchmarks", "Data", ".ci"]

  /// Every text file of the project, as it stands on the disk.
  static func textFiles() throws -> [SourceFile] {
    let manager = FileManager.default
    var paths = try manager.contentsOfDirectory(atPath: root).filter { !isFolder($0) }
    for folder in folders where isFolder(folder) {
      for path in try manager.subpathsOfDirectory(atPath: "\(root)/\(folder)") {
        let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
        if !isHidden, !isFolder("\(folder)/\(path)") { paths.append("\(folder)/\(path)") }
      }
    }
    return paths.sorted().compactMap { path in
      guard let data = manager.contents(atPath: "\(root)/\(path)"),
        let text = String(validating: data, as: UTF8.self)
      else { return nil }
      return SourceFile(path: path, text: text)
    }
  }

  static func swiftFiles() throws -> [SourceFile] {
    let files = try textFiles().filter { $0.path.hasSuffix(".swift") }
    // A check that reads nothing would pass.
    try #require(files.contains { $0.path == "Package.swift" })
    try #require(files.contains { $0.path.hasPrefix("Sources/OrderedStore/") })
    return files
  }

  static func file(_ path: String) -> SourceFile? {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
      let text = String(validating: data, as: UTF8.self)
    else { return nil }
    return SourceFile(path: path, text: text)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
      && isFolder
  }
}
