import SourceStructure

/// A rule on the manifest: a target depends on every module of the package that its files import.
///
/// The compiler lets a file import a module that comes only by way of another one. Targets of other
/// packages are left out.
struct ManifestRule {
  var layers: [Layer]

  func violations(in files: [SourceFile], manifest: SourceFile) -> [Violation] {
    let modules = Set(layers.map(\.name))
    let declared = Self.dependencies(in: manifest)
    return layers.flatMap { layer -> [Violation] in
      guard let dependencies = declared[layer.name] else { return [] }
      let imported = Set(
        files.filter { $0.path.hasPrefix(layer.folder + "/") }
          .flatMap { LayeringRule.imports(of: $0).map(\.module) })
      return imported.intersection(modules).subtracting(dependencies).sorted().map {
        Violation(
          path: manifest.path, message: "\(layer.name) imports \($0) without depending on it")
      }
    }
  }

  /// Returns the texts in the declaration of each target, by its name, which is the first of them.
  static func dependencies(in manifest: SourceFile) -> [String: Set<String>] {
    var dependencies: [String: Set<String>] = [:]
    for declaration in manifest.text.split(separator: "arget(").dropFirst() {
      let pieces = declaration.split(separator: "\"", omittingEmptySubsequences: false)
      let texts = stride(from: 1, to: pieces.count, by: 2).map { String(pieces[$0]) }
      if let name = texts.first { dependencies[name] = Set(texts) }
    }
    return dependencies
  }
}
