import HearthDocumentModel

/// The names that an expression sees.
struct Scope {
  /// Functions by name, those of the innermost block last.
  private var functions: [(name: String, id: Int)] = []
  /// The wildcards of the blocks around, outermost first. Their places are their slots.
  private(set) var wildcards: [String] = []
  /// The parameters and variables of the function, in order.
  private(set) var locals: [String] = []

  mutating func define(function name: String, _ id: Int) { functions.append((name, id)) }

  mutating func define(wildcard name: String) { wildcards.append(name) }

  mutating func define(local name: String) { locals.append(name) }

  func function(named name: String) -> Int? {
    functions.last { $0.name.utf8Equal(name) }?.id
  }

  func local(named name: String) -> Int? {
    locals.lastIndex { $0.utf8Equal(name) }
  }

  func wildcard(named name: String) -> Int? {
    wildcards.lastIndex { $0.utf8Equal(name) }
  }
}
