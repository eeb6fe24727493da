public import HearthDocumentModel

/// The steps that turn the indexes of a database into those of an index file (§6.4).
///
/// After a plan is applied, a new plan has no steps.
public struct IndexFilePlan: Sendable, Equatable {
  /// One change.
  public enum Step: Sendable, Equatable {
    /// Documents no longer expire at a field's times (§3.9).
    case disableTimeToLive(IndexedField)
    /// A field gets other single-field indexes than it has. `present` is the field's override;
    /// `nil` if it has none.
    case setIndexes(FieldIndexes, present: FieldIndexes?)
    /// A composite index is created and built.
    case create(IndexDefinition)
    /// A composite index that the file lacks is dropped.
    case drop(IndexDefinition)
    /// A field that the file lacks loses its override and gets back the indexes that it inherits.
    case revert(FieldIndexes)
    /// Documents expire at a field's times.
    case enableTimeToLive(IndexedField)
  }

  /// The steps in the order in which they are taken. New indexes come before removals, so that
  /// queries keep being served. A time to live is disabled before another one in its collections is
  /// enabled (§6.4).
  public let steps: [Step]
  /// The database's indexes that the file lacks and that the plan keeps. A plan that prunes keeps
  /// none of them.
  public let kept: IndexFile
  /// The indexes that the database is to have. Those that exist already may still be being built.
  package let file: IndexFile

  /// Creates the plan from one set of indexes to another.
  ///
  /// Two indexes are the same if their collections, scopes and columns are, `__name__` included
  /// (§6.4). An index that is being built counts as present. A field's indexes are compared as
  /// sets, with their scopes, which the Firebase tool leaves out (§6.4). A field's time to live is
  /// compared only if the file mentions it.
  ///
  /// - Parameters:
  ///   - present: the indexes that the database has.
  ///   - file: the indexes that it is to have.
  ///   - prunes: whether to remove indexes that the file lacks.
  /// - Throws: `invalidArgument` for a file with two times to live in one collection group,
  ///   `failedPrecondition` for a file whose time to live would come beside one that stays (§1.2).
  ///   Both errors name the two fields.
  public init(
    from present: IndexFile, to file: IndexFile, prunes: Bool = false
  ) throws(DatabaseError) {
    let (present, file) = (present.sorted, file.sorted)
    self.file = file
    let missing = file.composites.withoutDuplicates(besides: present.composites)
    let extra = present.composites.withoutDuplicates(besides: file.composites)
    let listed = Set(file.overrides.map(\.name))
    let unlisted = present.overrides.filter { !listed.contains($0.name) }
    var (disabled, enabled): ([Step], [Step]) = ([], [])
    for wanted in file.overrides {
      let isOn = present.overrides.first { $0.name == wanted.name }?.isTimeToLive ?? false
      guard let isTimeToLive = wanted.isTimeToLive, isTimeToLive != isOn else { continue }
      if isTimeToLive {
        enabled.append(.enableTimeToLive(wanted.name))
      } else {
        disabled.append(.disableTimeToLive(wanted.name))
      }
    }
    let gone = prunes ? unlisted : []
    for override in gone where override.isTimeToLive == true {
      disabled.append(.disableTimeToLive(override.name))
    }
    try IndexFilePlan.requireOneTimeToLive(
      enabling: enabled, disabling: disabled, from: present, to: file)
    let reverted = gone.filter { !$0.isInherited }
    let fields = IndexFilePlan.fieldSteps(from: present, to: file, reverting: reverted)
    steps =
      disabled + fields + missing.map { .create($0) } + (prunes ? extra : []).map { .drop($0) }
      + reverted.map { .revert($0) } + enabled
    kept = prunes ? IndexFile() : IndexFile(composites: extra, overrides: unlisted)
  }

  /// Returns the steps that give fields the indexes of the file.
  ///
  /// Inherited indexes of a field may change if another field of its collections changes, or if the
  /// field is no longer listed for its time to live. In these cases a step gives the field an
  /// override, even if its indexes are already those of the file. A field that inherits its indexes
  /// in the wanted set too, which no file says of a field, stays as it is.
  private static func fieldSteps(
    from present: IndexFile, to file: IndexFile, reverting reverted: [FieldIndexes]
  ) -> [Step] {
    let changes = file.overrides.compactMap { wanted in
      let old = present.overrides.first { $0.name == wanted.name }
      return wanted.isInherited && old?.isInherited ?? true
        ? nil : (wanted: wanted, old: old, isSame: old?.indexes == wanted.indexes)
    }
    let changedGroups = Set(
      (changes.filter { !$0.isSame }.map(\.wanted) + reverted).map { UTF8Key($0.collectionGroup) })
    return changes.compactMap { wanted, old, isSame in
      let isInherited = old?.isInherited ?? true
      let isInDoubt =
        wanted.isTimeToLive == false || changedGroups.contains(UTF8Key(wanted.collectionGroup))
      guard !isSame || isInherited && isInDoubt else { return nil }
      return .setIndexes(wanted, present: isInherited ? nil : old)
    }
  }
}

extension [IndexDefinition] {
  /// Returns the indexes without repetition and without those of `others`.
  fileprivate func withoutDuplicates(besides others: [IndexDefinition]) -> [IndexDefinition] {
    var known = Set(others)
    return filter { known.insert($0).inserted }
  }
}

extension IndexFilePlan {
  /// The composite indexes that the plan creates.
  public var created: [IndexDefinition] {
    steps.compactMap { if case .create(let index) = $0 { index } else { nil } }
  }

  /// The composite indexes that the plan drops.
  package var dropped: [IndexDefinition] {
    steps.compactMap { if case .drop(let index) = $0 { index } else { nil } }
  }

  /// Whether the plan removes anything that the file lacks: an index, the indexes of a field, or a
  /// time to live.
  public var prunes: Bool {
    steps.contains { step in
      if case .disableTimeToLive(let name) = step {
        return !file.overrides.contains { $0.name == name }
      }
      return step.dropsIndexes
    }
  }
}

extension IndexFilePlan.Step {
  /// Whether the step removes indexes that the file lacks.
  package var dropsIndexes: Bool {
    switch self {
    case .drop, .revert: true
    case .disableTimeToLive, .setIndexes, .create, .enableTimeToLive: false
    }
  }
}

extension IndexFilePlan.Step {
  /// Whether the step may have to read documents.
  package var mayBuild: Bool {
    switch self {
    case .create, .setIndexes, .enableTimeToLive, .revert: true
    case .drop, .disableTimeToLive: false
    }
  }
}

extension IndexFilePlan.Step: CustomStringConvertible {
  /// One line that begins with `+` for an addition, `-` for a removal and `~` for a change.
  public var description: String {
    switch self {
    case .disableTimeToLive(let name): "- time to live by \(name)"
    case .enableTimeToLive(let name): "+ time to live by \(name)"
    case .setIndexes(let indexes, nil): "+ field \(indexes.name): \(indexes.indexes.inWords)"
    case .setIndexes(let indexes, let present?):
      "~ field \(indexes.name): \(present.indexes.inWords) -> \(indexes.indexes.inWords)"
    case .revert(let indexes): "- field \(indexes.name): \(indexes.indexes.inWords)"
    case .create(let index): "+ index \(index.inWords)"
    case .drop(let index): "- index \(index.inWords)"
    }
  }
}

extension [SingleFieldIndex] {
  fileprivate var inWords: String {
    guard !isEmpty else { return "no indexes" }
    return map { index in
      let mode = index.mode.abbreviation
      return index.scope == .collection ? mode : "group \(mode)"
    }
    .joined(separator: ", ")
  }
}

extension IndexMode {
  /// The mode as plans print it.
  var abbreviation: String {
    switch self {
    case .ascending: "ASC"
    case .descending: "DESC"
    case .contains: "ARRAY_CONTAINS"
    }
  }
}

extension IndexDefinition {
  /// The index in words, such as `(a ASC, b DESC) of c`, without an implied `__name__`.
  package var inWords: String {
    var columns = columnsWithoutImpliedName.map(\.description)
    if let vector { columns.append("\(vector.field) VECTOR<\(vector.dimension)>") }
    let group = scope == .collection ? collectionGroup : "collection group \(collectionGroup)"
    return "(\(columns.joined(separator: ", "))) of \(group)"
  }
}
