import Hearth

/// The copy of a database's indexes to another one.
struct IndexCopy {
  private let source: AdminSession
  private let target: AdminSession

  init(from source: AdminSession, to target: AdminSession) {
    self.source = source
    self.target = target
  }

  /// Creates the indexes, times to live and kept counts that the second database lacks, and tunes
  /// its indexes as those of the first.
  func run() throws {
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    let call = try IndexApplyCall(
      from: target.run(IndexFileCall()).file, to: source.run(IndexFileCall()).file)
    if !call.plan.steps.isEmpty { _ = try target.run(call) { bar.update($0) } }
    let (wanted, present) = (try source.run(IndexListCall()), try target.run(IndexListCall()))
    for index in wanted.composites {
      try tune(present.composites.first { $0.definition == index.definition }, as: index, bar)
    }
    for counts in wanted.keptCounts where !counts.isBeingDropped {
      let call = KeptCountsCall(
        of: counts.fields, in: counts.collectionGroup, scope: counts.scope, areKept: true)
      _ = try target.run(call) { bar.update($0) }
    }
  }

  private func tune(
    _ present: IndexAdministration.CompositeIndex?, as wanted: IndexAdministration.CompositeIndex,
    _ bar: ProgressBar
  ) throws {
    if wanted.isCovering, present?.isCovering != true {
      _ = try target.run(CoveringCall(wanted.definition, isCovering: true)) { bar.update($0) }
    }
    if wanted.isHidden, present?.isHidden != true {
      _ = try target.run(IndexChangeCall(.hide, wanted.definition))
    }
  }
}
