import Foundation
import Hearth

/// An application that forks while it has a database open.
///
/// ```
/// ForkProbe calls FOLDER      the child tries each kind of call, and closes the database
/// ForkProbe release FOLDER    the child releases the database without closing it
/// ForkProbe scan FOLDER       the child continues the query that its parent has begun
/// ForkProbe remembered FOLDER the same, without reads of files
/// ForkProbe firebase FOLDER   the child tries calls of Firebase's kind
/// ForkProbe orphan FOLDER     the child outlives its parent
/// ```
///
/// A line reports the result of each attempt: `done`, or the error's code. The child's lines are
/// first, then its end, then the parent's lines.
@main
struct ForkProbe {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 2 else { exit(64) }
    do {
      // The process that sees both end may have no database open.
      if arguments[0] == "orphan" { return try Orphan.leave(in: arguments[1]) }
      let application = try Application(in: arguments[1])
      switch arguments[0] {
      case "calls": try application.forkAndTryCalls()
      case "release": try application.forkAndRelease()
      case "scan": try application.forkInScan(isRemembered: false)
      case "remembered": try application.forkInScan(isRemembered: true)
      case "firebase": try application.forkAndTryFirebaseCalls()
      default: exit(64)
      }
      try application.goOn()
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }
}

/// Writes a line by one call of the system, so that nothing waits in a buffer that a fork would
/// copy.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Reports the result of a call.
func attempt(_ name: String, _ body: () throws -> Void) {
  do {
    try body()
    say("\(name): done")
  } catch let error as DatabaseError {
    say("\(name): \(error.code)")
  } catch {
    say("\(name): \(error)")
  }
}

/// Forks, which Swift doesn't offer. A child that hangs is ended in time.
///
/// - Returns: the child's number, or 0 in the child.
func makeChild() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let address = dlsym(nil, "fork") else { exit(70) }
  let child = unsafeBitCast(address, to: Fork.self)()
  if child == 0 { alarm(100) }
  return child
}

func waitForEnd(of child: pid_t) {
  var status: Int32 = 0
  waitpid(child, &status, 0)
  say("child ended: \(status)")
}
