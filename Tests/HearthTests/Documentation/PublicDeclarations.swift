import Foundation

/// The declarations of a target's sources for its users, read from their text.
///
/// Swift code in this repository is formatted, so the indentation of the lines before a declaration
/// shows the types that contain it.
struct PublicDeclarations {
  struct Parameter {
    let label: String
    let canBeLeftOut: Bool

    var unlabelled: Parameter { Parameter(label: "_", canBeLeftOut: canBeLeftOut) }
  }

  /// A type, or a member of one.
  struct Declaration {
    /// The types that contain it, such as `Database.Options`; empty for a top-level type.
    let owner: String
    let name: String
    /// Labels of its parameters; `nil` for a declaration without parameters, such as a property.
    let parameters: [Parameter]?
    /// Words between the parameters of a function and its result.
    var effects: [Substring] = []
  }

  private(set) var declarations: [Declaration] = []
  /// Types that are declared here, rather than as another name for a type elsewhere.
  private(set) var types: Set<String> = []

  init(folders: [URL]) throws {
    for folder in folders {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        read(try String(contentsOf: file, encoding: .utf8))
      }
    }
  }

  private mutating func read(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var owners: [(indent: Int, name: String, isPublic: Bool)] = []
    for (number, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      // `init(` and `subscript(` are words by themselves.
      var words = line.dropFirst(indent).split(separator: " ")
        .flatMap { Declaration.split(String($0)) }
      guard let first = words.first, !first.hasPrefix("//"), first != "}" else { continue }
      while let last = owners.last, last.indent >= indent { owners.removeLast() }
      let isPublic = words.contains("public") || words.contains("open")
      let isCase = first == "case" || first == "indirect"
      let isInherited = owners.last?.isPublic == true
      guard let kind = words.firstIndex(where: Declaration.kinds.contains) else { continue }
      guard isPublic || isCase || isInherited || words[kind] == "extension" else { continue }
      let keyword = words[kind]
      words.removeFirst(kind + 1)
      let rest = words.joined(separator: " ")
      let owner = owners.map(\.name).joined(separator: ".")
      let after = lines[(number + 1)...].prefix(12).joined(separator: "\n")
      switch keyword {
      case "case":
        for name in rest.split(separator: ",") {
          let name = name.trimmingCharacters(in: .whitespaces)
          add(Declaration(owner: owner, name: Declaration.word(name), parameters: nil))
        }
      case "init", "subscript":
        var parameters = Declaration.parameters(of: String(line) + "\n" + after, after: keyword)
        // A parameter of a subscript has no label.
        if keyword == "subscript" { parameters = parameters.map(\.unlabelled) }
        add(Declaration(owner: owner, name: keyword, parameters: parameters))
      case "func":
        let name = Declaration.word(rest)
        let parameters = Declaration.parameters(of: rest + "\n" + after, after: name)
        let effects = Declaration.effects(in: rest + "\n" + after)
        add(Declaration(owner: owner, name: name, parameters: parameters, effects: effects))
      case "var", "let", "typealias":
        add(Declaration(owner: owner, name: Declaration.word(rest), parameters: nil))
      default:
        let name = Declaration.word(rest, dots: true)
        // Members of an extension or a protocol that is public as a whole are public.
        let givesAccess = isPublic && ["extension", "protocol"].contains(keyword)
        owners.append((indent, name, givesAccess))
        guard keyword != "extension" else { continue }
        types.insert(name)
        add(Declaration(owner: owner, name: name, parameters: nil))
      }
    }
  }

  private mutating func add(_ declaration: Declaration) {
    declarations.append(declaration)
  }

  /// Whether a call such as `limit(to:)`, `Timestamp(seconds:nanoseconds:)` or
  /// `DocumentChange.kind` is declared, in one of `types` if it names no type itself.
  func hold(_ call: String, in types: [String]) -> Bool {
    let name = call.prefix { $0 != "(" }
    let labels: [String]? =
      call.contains("(")
      ? call.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        .split(separator: ":").map(String.init) : nil
    var parts = name.split(separator: ".").map(String.init)
    guard var base = parts.popLast() else { return false }
    var owners = parts.isEmpty ? types : [parts.joined(separator: ".")]
    if labels != nil, base.first?.isUppercase == true {
      owners = [(parts + [base]).joined(separator: ".")]
      base = "init"
    } else if base.first?.isUppercase == true, parts.isEmpty {
      owners = []
    }
    return declarations.contains { declaration in
      declaration.name == base
        && (owners.isEmpty || owners.contains { declaration.isIn($0) })
        && (labels.map(declaration.takes) ?? true)
    }
  }
}

extension PublicDeclarations.Declaration {
  static let kinds: Set<String> = [
    "func", "var", "let", "init", "subscript", "case", "typealias", "struct", "class", "enum",
    "protocol", "actor", "extension",
  ]

  /// Returns the words between the first list of parameters in a text and the result or the body.
  static func effects(in text: String) -> [Substring] {
    var depth = 0
    var rest = text.drop { $0 != "(" }
    while let character = rest.popFirst() {
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      if depth == 0 { break }
    }
    return rest.prefix { $0 != "{" && $0 != "-" && $0 != "}" }
      .split { " \n(".contains($0) }
  }

  func isIn(_ type: String) -> Bool { owner == type || owner.hasSuffix(".\(type)") }

  /// Whether it can be called with exactly these labels. A completion handler may be omitted.
  func takes(_ labels: [String]) -> Bool {
    func take(
      _ labels: ArraySlice<String>, _ parameters: ArraySlice<PublicDeclarations.Parameter>
    ) -> Bool {
      guard let parameter = parameters.first else { return labels.isEmpty }
      if parameter.label == labels.first, take(labels.dropFirst(), parameters.dropFirst()) {
        return true
      }
      let canBeLeftOut = parameter.canBeLeftOut || parameter.label == "completion"
      return canBeLeftOut && take(labels, parameters.dropFirst())
    }
    return take(labels[...], (parameters ?? [])[...])
  }

  /// Splits a word such as `init(wrappedValue` in two.
  static func split(_ word: String) -> [String] {
    for keyword in ["init", "subscript"] where word.hasPrefix(keyword) {
      let rest = word.dropFirst(keyword.count)
      guard let first = rest.first, "(<?".contains(first) else { continue }
      return [keyword, String(rest)]
    }
    return [word]
  }

  /// Returns the identifier or operator at the beginning.
  static func word(_ text: String, dots: Bool = false) -> String {
    let text = text.drop { $0 == "`" }
    let operators = "<>=!&|+-*/~"
    if let first = text.first, operators.contains(first) {
      return String(text.prefix { operators.contains($0) })
    }
    return String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || (dots && $0 == ".") })
  }

  /// Returns the parameters in the parentheses after `name`, without its generic parameters.
  static func parameters(
    of text: String, after name: String
  ) -> [PublicDeclarations.Parameter] {
    guard let start = text.range(of: name) else { return [] }
    var list: [String] = [""]
    var depth = 0
    var angles = 0
    var last: Character = " "
    for character in text[start.upperBound...] {
      defer { last = character }
      switch character {
      case "<": angles += 1
      case ">" where last != "-": angles -= 1
      default: break
      }
      if depth == 0, angles > 0 || character == ">" { continue }
      switch character {
      case "(", "[", "{":
        depth += 1
        if depth == 1 { continue }
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return list.compactMap(parameter) }
      case "," where depth == 1 && angles == 0:
        list.append("")
        continue
      default: break
      }
      if depth > 0 { list[list.count - 1].append(character) }
    }
    return []
  }

  private static func parameter(_ text: String) -> PublicDeclarations.Parameter? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return nil }
    let label = String(text.prefix { $0 != " " && $0 != ":" })
    return PublicDeclarations.Parameter(
      label: label.trimmingCharacters(in: ["`"]), canBeLeftOut: text.contains(" = "))
  }
}
