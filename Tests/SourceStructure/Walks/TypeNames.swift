/// A type by its name and the file that declares it; the types around it are left out.
struct TypeName: Hashable, Sendable {
  /// Index in the tree's units; `nil` for a type that no target declares.
  var unit: Int?
  var name: String
}

/// The types of a tree that each file can see.
struct TypeNames {
  private let units: [SourceTree.Unit]
  /// Targets that a target's files see.
  private let visibleTargets: [String: Set<String>]
  /// Files that declare a type of a name.
  private var declaring: [String: Set<Int>] = [:]
  private(set) var protocols: Set<TypeName> = []
  private var parents: [TypeName: Set<TypeName>] = [:]
  private var families: [TypeName: Set<TypeName>] = [:]
  /// Types that conform to a protocol or inherit from a class.
  private(set) var children: [TypeName: Set<TypeName>] = [:]

  init(_ tree: SourceTree) {
    units = tree.units
    visibleTargets = Self.visibleTargets(in: tree)
    for (index, unit) in units.enumerated() {
      for type in unit.types where type.kind != .extensionOfType {
        declaring[type.name, default: []].insert(index)
        if type.kind == .protocolType { protocols.insert(TypeName(unit: index, name: type.name)) }
      }
    }
    for (index, unit) in units.enumerated() {
      for type in unit.types {
        let child = owner(type.name, in: index)
        let found = type.parents.compactMap { resolve($0, in: index) }
        parents[child, default: []].formUnion(found.filter { $0 != child })
      }
    }
    for child in parents.keys {
      families[child] = findFamily(of: child)
      for parent in family(of: child) where parent != child {
        children[parent, default: []].insert(child)
      }
    }
  }

  /// Returns the targets that each target sees: itself, those that its files import, and those that
  /// these export again.
  private static func visibleTargets(in tree: SourceTree) -> [String: Set<String>] {
    var reexports: [String: Set<String>] = [:]
    var visible: [String: Set<String>] = [:]
    for unit in tree.units {
      reexports[unit.target, default: []].formUnion(unit.reexports)
      visible[unit.target, default: [unit.target]].formUnion(unit.imports)
    }
    return visible.mapValues { targets in
      targets.reduce(into: targets) { $0.formUnion(reexports[$1] ?? []) }
    }
  }

  /// Whether declarations of `unit` can be named in `user`.
  func sees(_ unit: Int, from user: Int) -> Bool {
    visibleTargets[units[user].target]?.contains(units[unit].target) ?? false
  }

  /// Returns the type that `name` means in a file: the file's own, else the only one of its target,
  /// else the only one of those that it imports.
  func resolve(_ name: String, in user: Int) -> TypeName? {
    guard let all = declaring[name] else { return nil }
    if all.contains(user) { return TypeName(unit: user, name: name) }
    let own = all.filter { units[$0].target == units[user].target }
    let found = own.isEmpty ? all.filter { sees($0, from: user) } : own
    guard found.count == 1, let only = found.first else { return nil }
    return TypeName(unit: only, name: name)
  }

  /// Returns the type to which an extension or a declaration of `name` in `user` belongs.
  func owner(_ name: String, in user: Int) -> TypeName {
    resolve(name, in: user) ?? TypeName(unit: nil, name: name)
  }

  /// Returns a type, its protocols and superclasses, and theirs.
  func family(of type: TypeName) -> Set<TypeName> { families[type] ?? [type] }

  private func findFamily(of type: TypeName) -> Set<TypeName> {
    var family: Set<TypeName> = [type]
    var rest = [type]
    while let next = rest.popLast() {
      for parent in parents[next] ?? [] where family.insert(parent).inserted {
        rest.append(parent)
      }
    }
    return family
  }
}
