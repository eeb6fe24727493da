import FoundationEssentials

/// A folder that holds the project's files.
package struct Checkout: Sendable {
  /// The path of the folder.
  package var root: String

  /// The folders that hold the project's own files; everything else beside them is made by tools.
  package static let folders = ["Sources", "Tests", "Tools", "Benchmarks", ".ci"]

  /// - Parameter root: the path of the folder; it may be relative.
  package init(root: String) { self.root = root }

  /// Returns every text file of the root and of `folders`, sorted by path, except generated code.
  ///
  /// - Throws: the file system's error.
  package func textFiles(in folders: [String] = Self.folders) throws -> [SourceFile] {
    let manager = FileManager.default
    var paths = try manager.contentsOfDirectory(atPath: root).filter { !isFolder($0) }
    for folder in folders where isFolder(folder) {
      for path in try manager.subpathsOfDirectory(atPath: "\(root)/\(folder)") {
        let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
        let isGenerated = path.hasSuffix(".pb.swift")
        if !isHidden, !isGenerated, !isFolder("\(folder)/\(path)") {
          paths.append("\(folder)/\(path)")
        }
      }
    }
    return paths.sorted().compactMap(file)
  }

  /// Returns the file at `path`; `nil` if there is none or it isn't text.
  package func file(_ path: String) -> SourceFile? {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
      let text = String(validating: data, as: UTF8.self)
    else { return nil }
    return SourceFile(path: path, text: text)
  }

  /// Whether there is a folder at `path`.
  package func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
      && isFolder
  }
}
