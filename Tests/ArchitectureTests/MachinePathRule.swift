import FoundationEssentials
import SourceStructure

/// A rule against paths that exist on one machine only.
struct MachinePathRule {
  /// Beginnings of paths that belong to a machine, each with a slash at either end.
  var prefixes: [String]

  /// The rule for the usual homes of users and their programs, and for the folder of this checkout.
  static var forThisMachine: MachinePathRule {
    let prefixes = ["home", "root", "Users", "opt", "mnt", "srv"].map { "/\($0)/" }
    return MachinePathRule(prefixes: prefixes + (checkout.map { [$0] } ?? []))
  }

  /// Path to the folder of the checkout; `nil` for one of temporary files, which every machine has
  /// and a program may name.
  static var checkout: String? {
    let parent = Repository.root.split(separator: "/").dropLast().joined(separator: "/")
    guard !["tmp", "var/tmp"].contains(parent) else { return nil }
    return parent.isEmpty ? "\(Repository.root)/" : "/\(parent)/"
  }

  func violations(in file: SourceFile) -> [Violation] {
    file.lines.enumerated().flatMap { index, line in
      prefixes.filter { isNamed($0, in: line) }.map {
        Violation(path: file.path, line: index + 1, message: "names a path of a machine, '\($0)'")
      }
    }
  }

  /// Whether a path in `line` begins with `prefix`. Within a relative path or a link it is allowed.
  private func isNamed(_ prefix: String, in line: Substring) -> Bool {
    line.ranges(of: prefix).contains { range in
      guard let before = line[..<range.lowerBound].last else { return true }
      return !(before.isLetter || before.isNumber || "_.~-*/}\\".contains(before))
    }
  }
}
