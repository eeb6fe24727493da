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

  /// The access with which the tool opens the database, if no application has it open.
  private var access: Database.Access {
    readOnly || DatabaseOptions.isInReadOnlyShell ? .readOnly : .readWrite
  }

  /// Does the same as ``DatabaseOptions/withSession(creating:isDurable:access:_:)``.
  func withSession<Result>(_ body: (AdminSession) throws -> Result) throws -> Result {
    try database.withSession(access: access, body)
  }

  /// Makes a call on the database.
  func run<Call: DatabaseCall>(_ call: Call) throws -> Call.Answer {
    try database.run(call, access: access)
  }

  /// Makes a call on the database, and shows its progress, as
  /// ``DatabaseOptions/run(_:access:showing:of:)`` does.
  func run<Call: DatabaseCall>(
    _ call: Call, showing title: String, of unit: String = "documents"
  ) throws -> Call.Answer where Call.Item: WorkProgress {
    try database.run(call, access: access, showing: title, of: unit)
  }
}
