import Hearth

extension DatabaseOptions {
  /// Makes a call on the database.
  func run<Call: DatabaseCall>(
    _ call: Call, _ item: (Call.Item) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    try withSession { try $0.run(call, item) }
  }

  /// Pauses, resumes or cancels the build of an index.
  func change(
    _ change: IndexBuildChangeCall.Change, buildOf definition: IndexDefinition,
    pace: BuildPace? = nil
  ) throws {
    try withSession { session in
      _ = try session.run(
        IndexBuildChangeCall(change, definition, pace: pace), on: definition,
        unlike: "such index that is being built")
    }
  }
}
