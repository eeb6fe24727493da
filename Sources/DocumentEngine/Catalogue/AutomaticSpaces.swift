import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

/// The stored single-field indexes of a field. Each serves several logical ones: ascending and
/// descending indexes are the same entries, read forwards and backwards.
package struct AutomaticSpaces: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  static let collectionOrdered = AutomaticSpaces(rawValue: 1)
  static let collectionContains = AutomaticSpaces(rawValue: 2)
  static let groupOrdered = AutomaticSpaces(rawValue: 4)
  package static let groupContains = AutomaticSpaces(rawValue: 8)

  static let ordered: AutomaticSpaces = [.collectionOrdered, .groupOrdered]
  static let contains: AutomaticSpaces = [.collectionContains, .groupContains]
  static let collection: AutomaticSpaces = [.collectionOrdered, .collectionContains]
  static let group: AutomaticSpaces = [.groupOrdered, .groupContains]

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The space in which `index` is stored.
  package init(_ index: SingleFieldIndex) {
    switch (index.scope, index.mode) {
    case (.collection, .contains): self = .collectionContains
    case (.collection, _): self = .collectionOrdered
    case (.collectionGroup, .contains): self = .groupContains
    case (.collectionGroup, _): self = .groupOrdered
    }
  }

  package init(_ indexes: some Sequence<SingleFieldIndex>) {
    self = indexes.reduce(into: []) { $0.formUnion(AutomaticSpaces($1)) }
  }
}

/// The stored entries of one field, and their number in Firestore's count.
struct AutomaticIndexing: Sendable {
  var spaces: AutomaticSpaces
  private let collectionCounts: LogicalCounts
  private let groupCounts: LogicalCounts

  /// The number of Firestore's entries for each stored one: one for each direction of a value, and
  /// two for an array's element, one for each direction of the name (§1.2).
  private struct LogicalCounts {
    let ordered: Int
    let contains: Int

    init(_ indexes: some Collection<SingleFieldIndex>, _ scope: QueryScope) {
      ordered = indexes.count { $0.scope == scope && $0.mode != .contains }
      contains = 2 * indexes.count { $0.scope == scope && $0.mode == .contains }
    }
  }

  static let `default` = AutomaticIndexing(SingleFieldIndex.defaults)

  init(_ indexes: some Collection<SingleFieldIndex>) {
    spaces = AutomaticSpaces(indexes)
    collectionCounts = LogicalCounts(indexes, .collection)
    groupCounts = LogicalCounts(indexes, .collectionGroup)
  }

  func logicalCount(_ kind: StorageKey.AutomaticKind, _ scope: QueryScope) -> Int {
    let counts = scope == .collection ? collectionCounts : groupCounts
    return kind == .contains ? counts.contains : counts.ordered
  }
}

/// The single-field rules of one collection group: its overrides and the defaults (§3.3).
struct AutomaticRules: Sendable {
  struct Rule: Sendable {
    let name: OverrideName
    let indexing: AutomaticIndexing
    let ready: AutomaticSpaces
    let retiring: AutomaticSpaces
  }

  /// The rules with the longest paths first, `*` last.
  private let rules: [Rule]
  /// Whether no field has an entry.
  let exemptAll: Bool

  init(_ rules: [Rule]) {
    exemptAll =
      rules.contains { $0.name.field == nil }
      && rules.allSatisfy { $0.indexing.spaces.isEmpty && $0.retiring.isEmpty }
    self.rules = rules.sorted {
      ($0.name.field?.names.count ?? 0) > ($1.name.field?.names.count ?? 0)
    }
  }

  func indexing(of field: FieldPath, _ selection: EntrySelection) -> AutomaticIndexing {
    let rule = rules.first { $0.name.field.map(field.hasPrefix) ?? true }
    var indexing = rule?.indexing ?? .default
    switch selection {
    case .maintained, .composite: break
    case .complete: indexing.spaces = rule?.ready ?? indexing.spaces
    case .present: indexing.spaces.formUnion(rule?.retiring ?? [])
    case .governed(let name, let spaces): indexing.spaces = rule?.name == name ? spaces : []
    }
    return indexing
  }
}

/// The indexes for which entries are made.
package enum EntrySelection {
  /// All maintained indexes.
  case maintained
  /// All maintained indexes and those that an override is giving up, to delete the entries of an
  /// old document.
  case present
  /// All maintained indexes except those that are still being built. A document must have these
  /// entries.
  case complete
  /// One composite index.
  case composite(CompositeIndex)
  /// The given spaces of the fields that one override governs.
  case governed(by: OverrideName, AutomaticSpaces)
}
