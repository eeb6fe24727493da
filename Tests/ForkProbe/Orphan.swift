import HearthAdminSocket
import Foundation
import Hearth

/// An application that ends while its forked child lives on.
enum Orphan {
  static func leave(in folder: String) throws {
    let path = folder + "/db"
    // The orphan lives until the writing end of `life` is closed.
    let (life, birth) = (makePipe(), makePipe())
    let application = makeChild()
    if application == 0 {
      let database = try Database.open(at: path)
      try database.document("tasks/0").setData(["n": 0])
      if makeChild() == 0 {
        close(life.writing)
        tell(birth)
        hear(life)
        _exit(0)
      }
      // Before the orphan has run for the first time, it has all that its parent had.
      hear(birth)
      _exit(0)
    }
    waitForEnd(of: application)
    attempt("a tool finds nobody") {
      if try AdminClient.connect(folder: path, waiting: 1) != nil { say("somebody serves tools") }
    }
    attempt("somebody else opens it") { try Database.open(at: path).close() }
    close(life.writing)
  }

  private typealias Pipe = (reading: Int32, writing: Int32)

  private static func makePipe() -> Pipe {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { exit(70) }
    return (ends[0], ends[1])
  }

  private static func tell(_ pipe: Pipe) {
    var byte: UInt8 = 1
    _ = write(pipe.writing, &byte, 1)
  }

  /// Blocks until another process tells, or none can any more.
  private static func hear(_ pipe: Pipe) {
    var byte: UInt8 = 0
    _ = read(pipe.reading, &byte, 1)
  }
}
