package import AdminSocket
import DocumentModel
package import QueryPlanning

/// Builds composite indexes, all in one scan. It is refused with `aborted` where somebody pauses
/// one of them meanwhile.
package struct IndexBuildCall: DatabaseCall {
  package typealias Item = IndexBuild.Status
  package typealias Answer = AdminNothing
  package static let name = "index build"

  package let definitions: [IndexDefinition]
  /// `nil` leaves it as it is.
  package let pace: BuildPace?
  /// Whether the call ends when all are ready, or once they are begun.
  package let isAwaited: Bool

  package init(_ definitions: [IndexDefinition], pace: BuildPace?, isAwaited: Bool) {
    self.definitions = definitions
    self.pace = pace
    self.isAwaited = isAwaited
  }

  package func perform(
    on database: Database, _ send: (IndexBuild.Status) throws -> Void
  ) throws -> AdminNothing {
    let builds = try database.indexes.begin(definitions, pace: pace)
    guard isAwaited else { return AdminNothing() }
    try following(send) { progress in
      for build in builds where try !build.waitUnlessPaused(progress) {
        throw DatabaseError(
          .aborted, "The build was paused. It goes on when it is resumed, or begun again.")
      }
    }
    return AdminNothing()
  }
}

/// Tells of the builds that are under way when it begins, and of those that have failed and nobody
/// has made up for.
package struct IndexBuildsCall: DatabaseCall {
  package typealias Item = IndexBuild.Status
  package typealias Answer = AdminList<IndexBuild.Status>
  package static let name = "index builds"

  /// Whether those are waited for that aren't paused, until they are.
  package let isAwaited: Bool
  /// How fast those go that are under way; `nil` leaves it as it is.
  package let pace: BuildPace?

  package init(isAwaited: Bool, pace: BuildPace? = nil) {
    self.isAwaited = isAwaited
    self.pace = pace
  }

  package func perform(
    on database: Database, _ send: (IndexBuild.Status) throws -> Void
  ) throws -> AdminList<IndexBuild.Status> {
    let builds = try IndexBuildsCall.builds(of: database)
    if let pace, try builds.contains(where: { try !$0.status().isFinished }) {
      try database.indexes.setPace(pace)
    }
    if isAwaited {
      try following(send) { progress in
        for build in builds where try build.status().state == .building {
          do throws(DatabaseError) {
            _ = try build.waitUnlessPaused(progress)
          } catch {
            // Why a build failed, its status tells.
            guard try build.status().isFinished else { throw error }
          }
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
      // What was begun again since speaks for itself, and so does an index that is there.
      return entry.status.state == .failed && !present.contains(subject)
        && !all[(place + 1)...].contains { $0.status.subject == subject }
    }.map(\.element.build)
  }
}

/// Pauses, resumes or cancels the build of an index.
package struct IndexBuildChangeCall: DatabaseCall {
  package enum Change: String, Sendable {
    case pause, resume, cancel
  }

  package typealias Item = AdminNothing
  package typealias Answer = AdminNothing
  package static let name = "index build change"

  package let change: Change
  package let definition: IndexDefinition
  /// How fast all builds go from now on; `nil` leaves it as it is.
  package let pace: BuildPace?

  package init(_ change: Change, _ definition: IndexDefinition, pace: BuildPace? = nil) {
    self.change = change
    self.definition = definition
    self.pace = pace
  }

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminNothing {
    let build = try database.indexes.build(of: definition)
    if let pace { try database.indexes.setPace(pace) }
    switch change {
    case .pause: try build.pause()
    case .resume: try build.resume()
    case .cancel: try build.cancel()
    }
    return AdminNothing()
  }
}
