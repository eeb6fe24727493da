package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

extension Engine {
  /// Returns the indexes in the form of an index file (§6.5), those that are being built included.
  ///
  /// - Complexity: reads nothing.
  package func indexFile() throws(DatabaseError) -> IndexFile {
    try readView().catalog.indexFile
  }

  /// Applies the steps of a plan in their order.
  ///
  /// Each step holds by itself. If one fails, those before it stay applied, and a new plan has the
  /// others. Before any index is dropped, all new ones are ready, also those that an earlier plan
  /// has begun. Steps that another caller with the same file has taken since the plan was made
  /// count as done.
  ///
  /// - Parameters:
  ///   - plan: the steps.
  ///   - waits: whether the call returns when the composite indexes of the file are ready, also
  ///     those that were being built already, or once they are begun. Changes of fields are ready
  ///     in either case. A plan that drops indexes always waits.
  ///   - progress: called with the progress of the builds.
  /// - Complexity: every document of the collection groups of new composite indexes is read once,
  ///   and once for each field that changes; the entries of dropped indexes.
  /// - Throws: the same as `createIndex`, `dropIndex`, `setOverride`, `removeOverride` and
  ///   `setTimeToLive`; `aborted` if a build that is waited for is paused meanwhile.
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

  /// Waits for the indexes of a file that aren't ready. Another caller may have begun them without
  /// waiting, or their builds were interrupted. Paused builds are resumed.
  private func finishBuilds(
    of file: IndexFile, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let builds = builds
    var numbers: [Int] = []
    for target in latest.catalog.unfinishedTargets where file.has(target) {
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
    // A failed build doesn't stop the others.
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

  /// Returns the error for a paused build. A caller that applies a file doesn't wait for it, since
  /// it may never be resumed.
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

  /// Runs `body`, which removes something, and ignores the error if it is gone already.
  private func unlessGone(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    do throws(DatabaseError) {
      try body()
    } catch  where error.code == .notFound {
      // Another caller has removed it.
    }
  }
}

extension IndexFile {
  /// Whether the file contains the target of a build.
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
  /// The index file that describes the indexes.
  ///
  /// A field with a time to live stands in it like one with an override. Its indexes are listed
  /// even if they are inherited, as production does.
  fileprivate var indexFile: IndexFile {
    // An override that is being taken back doesn't count.
    let present = indexes.overrides.filter { changes[OverrideName($0)]?.isReverting != true }
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
