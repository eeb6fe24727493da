import ArgumentParser
import Hearth
import HearthAdminSocket

/// The options of a command that only reads a database.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var database: DatabaseOptions

  @Flag(
    help: ArgumentHelp(
      "Write nothing in the folder, which need not be writable.",
      discussion: """
        If an application has the database open, it answers; if it can't be asked, the tool reads \
        the files beside it, as of one moment.
        """))
  var readOnly = false

  /// The folder of the database as it was given by an option.
  var path: String? { database.path }

  /// Does the same as ``DatabaseOptions/withSession(creating:isDurable:access:_:)``.
  func withSession<Result>(_ body: (AdminSession) throws -> Result) throws -> Result {
    let isReadOnly = readOnly || DatabaseOptions.isInReadOnlyShell
    return try database.withSession(access: isReadOnly ? .readOnly : .readWrite, body)
  }

  /// Makes a call on the database.
  func run<Call: DatabaseCall>(_ call: Call) throws -> Call.Answer {
    try withSession { try $0.run(call) }
  }

  /// Makes a call on the database, and shows its progress.
  ///
  /// - Parameters:
  ///   - title: name of the work, in front of the bar.
  ///   - unit: things that are counted.
  func run<Call: DatabaseCall>(
    _ call: Call, showing title: String, of unit: String = "documents"
  ) throws -> Call.Answer where Call.Item: WorkProgress {
    let bar = ProgressBar(title: title, unit: unit)
    defer { bar.finish() }
    return try withSession { try $0.run(call) { bar.update($0) } }
  }
}
