import HearthAdminSocket
import Hearth

extension DatabaseOptions {
  /// Makes a call on the database.
  ///
  /// - Parameter access: whether the tool may write, if it opens the database.
  func run<Call: DatabaseCall>(
    _ call: Call, access: Database.Access = .readWrite,
    _ item: (Call.Item) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    try withSession(access: access) { try $0.run(call, item) }
  }

  /// Makes a call on the database, and shows its progress.
  ///
  /// - Parameters:
  ///   - access: whether the tool may write, if it opens the database.
  ///   - title: name of the work, in front of the bar.
  ///   - unit: things that are counted.
  func run<Call: DatabaseCall>(
    _ call: Call, access: Database.Access = .readWrite, showing title: String,
    of unit: String = "documents"
  ) throws -> Call.Answer where Call.Item: WorkProgress {
    let bar = ProgressBar(title: title, unit: unit)
    defer { bar.finish() }
    return try run(call, access: access) { bar.update($0) }
  }
}

/// A report of a call on how far its work is.
protocol WorkProgress {
  /// Shows the progress.
  func show(on bar: ProgressBar)
}

extension ProgressBar {
  /// Shows the progress of a call.
  func update(_ progress: some WorkProgress) { progress.show(on: self) }
}

extension AdminCount: WorkProgress {
  func show(on bar: ProgressBar) { bar.update(count: count, fraction: nil) }
}

extension IndexAdministration.Progress: WorkProgress {
  func show(on bar: ProgressBar) {
    bar.update(
      count: documentsDone, fraction: Double(documentsDone) / Double(max(documentsTotal, 1)))
  }
}

extension IndexBuild.Status: WorkProgress {
  func show(on bar: ProgressBar) {
    bar.update(
      count: documentsDone, fraction: fraction, rate: documentsPerSecond,
      secondsLeft: secondsLeft, stalledSeconds: stalledSeconds)
  }
}
