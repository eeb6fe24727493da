package import HearthAdminSocket
import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

/// Builds composite indexes, all in one scan. An awaited call fails with `aborted` if one of the
/// builds is paused meanwhile.
package struct IndexBuildCall: FollowedCall {
  package typealias Item = BuildStatus
  package static let name = "index build"

  package let definitions: [IndexDefinition]
  /// Pace of all builds from now on; `nil` leaves it unchanged.
  package let pace: BuildPace?
  /// Whether the call returns when all indexes are ready, and not as soon as the builds have begun.
  package let isAwaited: Bool

  package init(_ definitions: [IndexDefinition], pace: BuildPace?, isAwaited: Bool) {
    self.definitions = definitions
    self.pace = pace
    self.isAwaited = isAwaited
  }

  package func run(on database: Database, progress: (BuildStatus) -> Void) throws -> AdminNothing {
    let builds = try database.indexes.begin(definitions, pace: pace)
    guard isAwaited else { return AdminNothing() }
    for build in builds where try !build.waitUnlessPaused(progress) {
      throw DatabaseError(
        .aborted, "The build was paused. It goes on when it is resumed, or begun again.")
    }
    return AdminNothing()
  }
}

/// Reports the builds that are running when the call begins, and the failed ones that no later
/// build or index has replaced.
package struct IndexBuildsCall: FollowedCall {
  package typealias Item = BuildStatus
  package typealias Answer = AdminList<BuildStatus>
  package static let name = "index builds"

  /// Whether the call waits for the builds that aren't paused, until they end or are paused.
  package let isAwaited: Bool
  /// Pace of the running builds; `nil` leaves it unchanged.
  package let pace: BuildPace?

  package init(isAwaited: Bool, pace: BuildPace? = nil) {
    self.isAwaited = isAwaited
    self.pace = pace
  }

  package func run(
    on database: Database, progress: (BuildStatus) -> Void
  ) throws -> AdminList<BuildStatus> {
    let builds = try IndexBuildsCall.builds(of: database)
    if let pace, try builds.contains(where: { try !$0.status().isFinished }) {
      try database.indexes.setPace(pace)
    }
    if isAwaited {
      for build in builds where try build.status().state == .building {
        do throws(DatabaseError) {
          _ = try build.waitUnlessPaused(progress)
        } catch {
          // The build's status holds the reason of the failure.
          guard try build.status().isFinished else { throw error }
        }
      }
    }
    return AdminList(try builds.map { try $0.status() })
  }

  private static func builds(of database: Database) throws -> [IndexBuild] {
    let present = Set(try database.indexes.list().map { IndexBuild.Subject.index($0.definition) })
    let all = try database.indexes.builds().map { (build: $0, status: try $0.status()) }
    return all.enumerated().filter { place, entry in
      guard entry.status.isFinished else { return true }
      let subject = entry.status.subject
      // A failed build doesn't matter if a later one of the same subject has begun, or the index
      // exists.
      return entry.status.state == .failed && !present.contains(subject)
        && !all[(place + 1)...].contains { $0.status.subject == subject }
    }.map(\.element.build)
  }
}
