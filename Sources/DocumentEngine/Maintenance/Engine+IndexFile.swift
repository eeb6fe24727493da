package import DocumentModel
package import QueryPlanning

extension Engine {
  /// The indexes as an index file has them (§6.5), those that are being built too.
  ///
  /// - Complexity: reads nothing.
  package func indexFile() throws(DatabaseError) -> IndexFile {
    try readView().catalog.indexFile
  }

  /// Takes the steps of a plan, in their order.
  ///
  /// Each step holds by itself: if one fails, those before it stay taken, and a plan that is made
  /// then has the others. Before anything goes, all that is new is ready, also what an earlier plan
  /// has begun. What somebody else who applies the same file has done since the plan was made is
  /// taken as done.
  ///
  /// - Parameters:
  ///   - plan: the steps.
  ///   - waits: whether this returns when the composite indexes of the file are ready, also those
  ///     that were being built already, or once they are begun; what changes of fields is ready in
  ///     either case. A plan that drops indexes always waits.
  ///   - progress: is told how far the builds are.
  /// - Complexity: every document of the collection groups of new composite indexes is read once,
  ///   and once for each field that changes; the entries of what is dropped.
  /// - Throws: as `createIndex`, `dropIndex`, `setOverride`, `removeOverride` and `setTimeToLive`;
  ///   `aborted` if a build that is waited for is paused meanwhile.
  package func apply(
    _ plan: IndexFilePlan, waits: Bool = true, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let created = plan.created
    let waits = waits || plan.steps.contains(where: \.dropsIndexes)
    var (isCreated, isReady, isDropped) = (false, false, false)
    for step in plan.steps {
      if step.dropsIndexes, !isReady {
        try finishBuilds(of: plan.file, progress)
        isReady = true
      }
      switch step {
      case .setIndexes(let field, _):
        try setOverride(field.collectionGroup, field.field, field.indexes, progress: progress)
      case .create where isCreated: continue
      case .create:
        // One scan of the documents builds them all.
        try createIndexes(created, waits: waits, progress)
        isCreated = true
      case .drop where isDropped: continue
      case .drop:
        // One commit takes them all out of the catalogue.
        try dropIndexes(Set(plan.dropped))
        isDropped = true
      case .revert(let field):
        try unlessGone { () throws(DatabaseError) in
          try removeOverride(field.collectionGroup, field.field, progress: progress)
        }
      case .enableTimeToLive(let name): try enableTimeToLive(name, progress)
      case .disableTimeToLive(let name): try disableTimeToLive(name)
      }
    }
    if waits { try finishBuilds(of: plan.file, progress) } else { builds.requestSteps() }
  }

  private func createIndexes(
    _ indexes: [IndexDefinition], waits: Bool, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let numbers = try builds.begin(indexes, skipsReady: true)
    if waits { try finish(numbers, progress) }
  }

  /// Waits for what a file has and isn't ready: it may have been begun by somebody who didn't wait,
  /// or was broken off. What was paused goes on.
  private func finishBuilds(
    of file: IndexFile, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let builds = builds
    var numbers: [Int] = []
    for target in builds.reconcile().unfinishedTargets where file.has(target) {
      guard let number = builds.number(of: target.name) else { continue }
      if try builds.status(of: number).state == .paused { try builds.resume(number) }
      numbers.append(number)
    }
    try finish(numbers, progress)
  }

  private func finish(
    _ numbers: [Int], _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let builds = builds
    // One that fails doesn't stop the others.
    var failure: DatabaseError?
    for number in numbers {
      do throws(DatabaseError) {
        guard try builds.wait(for: number, isFollowed: true, endsPaused: true, progress) else {
          throw paused(try builds.status(of: number))
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Nobody may be there to resume it: who applies a file doesn't wait for that.
  private func paused(_ build: BuildStatus) -> DatabaseError {
    let index = if case .index(let definition) = build.subject { definition.inWords } else { "" }
    return DatabaseError(
      .aborted,
      "The build of \(index) was paused. It goes on when it is resumed with `hearth index resume`, "
        + "or when the file is applied again.")
  }

  private func enableTimeToLive(
    _ name: IndexedField, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    guard let field = name.field else { throw .invalidArgument("A time to live is of one field.") }
    try setTimeToLive(name.collectionGroup, field, progress: progress)
  }

  private func disableTimeToLive(_ name: IndexedField) throws(DatabaseError) {
    guard let field = name.field else { throw .invalidArgument("A time to live is of one field.") }
    try unlessGone { () throws(DatabaseError) in
      try removeTimeToLive(name.collectionGroup, field)
    }
  }

  /// Takes something away, if it is still there.
  private func unlessGone(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    do throws(DatabaseError) {
      try body()
    } catch  where error.code == .notFound {
      // Somebody else has taken it away.
    }
  }
}

extension IndexFile {
  /// Whether the file has what is being built.
  fileprivate func has(_ target: BuildTarget) -> Bool {
    switch target {
    case .index(let index): composites.contains(index.definition)
    case .override(let override, _, _):
      overrides.contains { $0.name == IndexedField(override.collectionGroup, override.field) }
    case .timeToLive(let policy):
      overrides.contains {
        $0.isTimeToLive == true && $0.name == IndexedField(policy.collectionGroup, policy.field)
      }
    case .covering: false
    }
  }
}

extension Catalog {
  /// What an index file says of the indexes.
  ///
  /// A field with a time to live stands in it like one with an override: with the indexes that it
  /// has, be they inherited, as production tells it.
  fileprivate var indexFile: IndexFile {
    // An override that is being taken back is no more.
    let present = indexes.overrides.filter { !reverting.contains(OverrideName($0)) }
    let livedBy = Set(timesToLive.map { IndexedField($0.collectionGroup, $0.field) })
    var fields = present.map { override in
      let name = IndexedField(override.collectionGroup, override.field)
      return FieldIndexes(
        name, override.indexes, isTimeToLive: livedBy.contains(name))
    }
    for policy in timesToLive {
      let name = IndexedField(policy.collectionGroup, policy.field)
      guard !fields.contains(where: { $0.name == name }) else { continue }
      let inherited = indexes.singleFieldIndexes(of: policy.field, in: policy.collectionGroup)
      var field = FieldIndexes(name, inherited, isTimeToLive: true)
      field.isInherited = true
      fields.append(field)
    }
    return IndexFile(composites: indexes.composites.map(\.definition), overrides: fields).sorted
  }
}

extension FieldIndexes {
  fileprivate init(
    _ name: IndexedField, _ indexes: [SingleFieldIndex: IndexState], isTimeToLive: Bool
  ) {
    self.init(
      collectionGroup: name.collectionGroup, field: name.field, indexes: Array(indexes.keys),
      isTimeToLive: isTimeToLive)
  }
}
