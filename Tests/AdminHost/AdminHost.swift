import Foundation
import Hearth

/// An application that has a database open and writes to it, until another process kills it.
///
/// ```
/// AdminHost FOLDER COUNT [BYTES] [writes|silent]
/// ```
///
/// It makes a database with COUNT documents in `cities`, each with a number `n`, a code `c` and a
/// text of BYTES bytes. It prints `ready` when they are written, and then overwrites a hundred
/// documents of `towns`, one per commit, until the process that started it is gone. With `writes`
/// it takes writes from the tool; with `silent` it doesn't answer the tool at all.
@main
struct AdminHost {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let count = Int(arguments[1]) else { exit(64) }
    let byteCount = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
    do {
      try run(
        in: arguments[0], count: count, text: String(repeating: "x", count: byteCount),
        mode: arguments.last ?? "")
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  private static func run(
    in folder: String, count: Int, text: String, mode: String
  ) throws {
    // The kill leaves the system running, which keeps the written bytes; other tests need the disk
    // more.
    var options = Database.Options()
    options.isDurable = false
    options.acceptsToolWrites = mode == "writes"
    options.servesAdministration = mode != "silent"
    let database = try Database.open(at: folder, options: options)
    let cities = try database.collection("cities")
    for start in stride(from: 0, to: count, by: 500) {
      var batch = database.batch()
      for number in start..<min(start + 500, count) {
        batch.setData(
          ["n": .integer(Int64(number)), "c": .integer(Int64(number % 10)), "text": .string(text)],
          for: try cities.document("city\(number)"))
      }
      try batch.commit()
    }
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    let towns = try database.collection("towns")
    let parent = getppid()
    for number in 0... {
      if number % 100 == 0, getppid() != parent { exit(0) }
      try towns.document("town\(number % 100)").setData(["n": .integer(Int64(number))])
      // Other processes work beside it.
      Thread.sleep(forTimeInterval: 0.002)
    }
  }
}
