import SourceStructure

/// A rule on the modules that each file may import.
struct LayeringRule {
  var layers: [Layer]

  /// An import in a file.
  struct Import {
    var module: String
    var line: Int
    var isTestable: Bool
    var isExported: Bool
  }

  func violations(in files: [SourceFile]) -> [Violation] {
    layers.flatMap { violations(of: $0, in: files) } + strays(in: files)
  }

  private func violations(of layer: Layer, in files: [SourceFile]) -> [Violation] {
    let files = files.filter { $0.path.hasPrefix(layer.folder + "/") }
    var violations: [Violation] = []
    var owners: [Int: String] = [:]
    for file in files {
      for found in Self.imports(of: file) {
        func report(_ message: String) {
          violations.append(Violation(path: file.path, line: found.line, message: message))
        }
        if found.isTestable { report("@testable; use package access") }
        if found.isExported && !layer.reexports {
          report("@_exported; \(layer.name) re-exports nothing")
        }
        if layer.imports.contains(found.module) || Layer.everywhere.contains(found.module) {
          continue
        }
        guard let group = layer.confined.firstIndex(where: { $0.contains(found.module) }) else {
          report("\(layer.name) may not import \(found.module)")
          continue
        }
        if let owner = owners[group], owner != file.path {
          report("\(found.module) stands in one file of \(layer.name), which is \(owner)")
        }
        owners[group] = owners[group] ?? file.path
      }
    }
    return violations
  }

  /// Returns the sources that belong to no layer of the table. The programs in `Tools/floors`
  /// measure any layer, as tests do.
  private func strays(in files: [SourceFile]) -> [Violation] {
    files.compactMap { file in
      let isLayered =
        file.path.hasPrefix("Sources/")
        || file.path.hasPrefix("Tools/") && !file.path.hasPrefix("Tools/floors/")
      guard isLayered, !layers.contains(where: { file.path.hasPrefix($0.folder + "/") }) else {
        return nil
      }
      return Violation(path: file.path, message: "belongs to no target of the layers' table")
    }
  }

  static func imports(of file: SourceFile) -> [Import] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]
    return file.codeLines.flatMap { number, code in
      // Several statements may share a line.
      code.split(separator: ";").compactMap { statement -> Import? in
        let words = statement.split(whereSeparator: \.isWhitespace)
        guard let keyword = words.firstIndex(of: "import"),
          words[..<keyword].allSatisfy(isImportModifier)
        else { return nil }
        var rest = words[(keyword + 1)...]
        if let kind = rest.first, kinds.contains(kind) { rest.removeFirst() }
        guard let module = rest.first?.split(separator: ".").first else { return nil }
        return Import(
          module: String(module), line: number,
          isTestable: words.contains("@testable"), isExported: words.contains("@_exported"))
      }
    }
  }

  private static func isImportModifier(_ word: Substring) -> Bool {
    let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    return word.hasPrefix("@") || levels.contains(word)
  }
}
