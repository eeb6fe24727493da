/// The Swift files of a checkout's targets, with their declarations.
package struct SourceTree: Sendable {
  /// A file and its declarations.
  struct Unit: Sendable {
    let path: String
    /// The folder below `Sources` or `Tools`.
    let target: String
    /// Folder below the target's; `noRoom` for files beside the rooms.
    let room: String
    let words: [String]
    let lineCount: Int
    let codeLineCount: Int
    let declarations: [Declaration]
    let types: [TypeDeclaration]
    /// Folders of the targets that the file imports, and other modules.
    let imports: Set<String>
    let reexports: Set<String>

    init(_ file: SourceFile) {
      let parts = file.path.split(separator: "/").map(String.init)
      path = file.path
      target = parts.count > 2 ? parts[1] : ""
      room = parts.count > 3 ? parts[2] : SourceTree.noRoom
      words = Words.all(of: file.code)
      lineCount = file.lines.count
      codeLineCount = file.codeLineCount
      let reader = DeclarationReader(words)
      declarations = reader.declarations
      types = reader.types
      imports = Set(reader.imports.map(SourceTree.folder(ofModule:)))
      reexports = Set(reader.reexports.map(SourceTree.folder(ofModule:)))
    }

    /// Number of types that it declares, without the names that coders use.
    var typeCount: Int {
      types.count { $0.kind != .extensionOfType && $0.name != "CodingKeys" }
    }
  }

  /// Name of the room of files that are in no folder of their target.
  package static let noRoom = "(top)"

  let units: [Unit]

  /// Reads the Swift files of `files` that are in a target's folder.
  package init(_ files: [SourceFile]) {
    units = files.filter {
      $0.path.hasSuffix(".swift") && $0.path.split(separator: "/").count > 2
        && ($0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Tools/hearth/"))
    }.map(Unit.init)
  }

  /// Returns the folder of a module, which is named after it with the package's name in front.
  private static func folder(ofModule module: String) -> String {
    let prefix = "Hearth"
    return ["Hearth", "HearthFirebase"].contains(module) || !module.hasPrefix(prefix)
      ? module : String(module.dropFirst(prefix.count))
  }

  /// The targets, in the order of their folders.
  package var targets: [String] {
    var targets: [String] = []
    for unit in units where targets.last != unit.target { targets.append(unit.target) }
    return targets
  }
}
