import AdminSocket
import Foundation
import Hearth

/// An application that ends while its forked child lives on.
enum Orphan {
  static func leave(in folder: String) throws {
    let path = folder + "/db"
    // The child lives until the writing end is closed.
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { exit(70) }
    let application = makeChild()
    if application == 0 {
      let database = try Database.open(at: path)
      try database.document("tasks/0").setData(["n": 0])
      if makeChild() == 0 {
        close(ends[1])
        var byte: UInt8 = 0
        _ = read(ends[0], &byte, 1)
      }
      _exit(0)
    }
    waitForEnd(of: application)
    attempt("a tool finds nobody") {
      if try AdminClient.connect(folder: path, waiting: 1) != nil { say("somebody serves tools") }
    }
    attempt("somebody else opens it") { try Database.open(at: path).close() }
    close(ends[1])
  }
}
