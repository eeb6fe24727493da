import Foundation
import Hearth

/// A database with a hundred documents that is in use: it has a listener and a held snapshot.
final class Application {
  private let folder: String
  private var database: Database?
  private var moment: DatabaseSnapshot?
  private var listener: ListenerRegistration?
  private var build: IndexBuild?

  private var path: String { folder + "/db" }

  init(in folder: String) throws {
    self.folder = folder
    // Other work in a process at the time of its fork can leave a lock locked in the child.
    var options = Database.Options()
    options.runsBackgroundWork = false
    let database = try Database.open(at: path, options: options)
    let tasks = try database.collection("tasks")
    var batch = database.batch()
    for number in 0..<100 {
      batch.setData(["n": .integer(Int64(number))], for: try tasks.document("\(number)"))
    }
    try batch.commit()
    _ = try tasks.document("0").getDocument()
    moment = try database.snapshot()
    // No thread makes its steps.
    build = try database.indexes.begin([Self.index("n", "due")]).first
    self.database = database
  }

  private static func index(_ first: String, _ second: String) throws -> IndexDefinition {
    IndexDefinition(
      "tasks",
      [
        IndexColumn(try FieldPath(first), .ascending),
        IndexColumn(try FieldPath(second), .ascending),
      ])
  }

  func opened() throws -> Database {
    guard let database else { throw DatabaseError(.internal, "It was released.") }
    return database
  }

  private func listen() throws {
    let queue = DispatchQueue(label: "snapshots")
    let isTold = DispatchSemaphore(value: 0)
    listener = try opened().collection("tasks").addSnapshotListener(on: queue) { _ in
      isTold.signal()
    }
    isTold.wait()
    queue.sync {}
    // The thread that looked at the commits may still be at work.
    try opened().settleListeners()
  }

  // MARK: In the child

  func forkAndTryCalls() throws {
    try listen()
    let child = makeChild()
    guard child == 0 else { return waitForEnd(of: child) }
    let database = try opened()
    let tasks = try database.collection("tasks")
    tryReads(of: tasks)
    tryWrites(to: tasks)
    tryAdministration(of: database)
    tasks.addSnapshotListener { result in
      attempt("listen") { _ = try result.get() }
    }
    listener?.remove()
    attempt("close") { try database.close() }
    attempt("write when closed") { try tasks.document("child").setData(["n": 1]) }
    attempt("open another") { _ = try Database.open(at: folder + "/other") }
    var options = Database.Options()
    options.access = .readOnly
    attempt("open it for reading") { _ = try Database.open(at: path, options: options) }
    attempt("open one in memory") { _ = try Database.inMemory() }
    _exit(0)
  }

  private func tryReads(of tasks: CollectionReference) {
    attempt("get what is remembered") { _ = try tasks.document("0").getDocument() }
    attempt("get") { _ = try tasks.document("99").getDocument() }
    attempt("query") { _ = try tasks.whereField("n", isGreaterThan: 3).getDocuments() }
    attempt("count") { _ = try tasks.count() }
    attempt("take a moment") { _ = try tasks.database.snapshot() }
    attempt("get at a moment") { _ = try moment?.getDocument(tasks.document("0")) }
    attempt("query at a moment") { _ = try moment?.getDocuments(tasks) }
  }

  private func tryWrites(to tasks: CollectionReference) {
    attempt("set") { try tasks.document("child").setData(["n": 1]) }
    attempt("batch") {
      var batch = tasks.database.batch()
      batch.delete(try tasks.document("0"))
      try batch.commit()
    }
    attempt("batch that threads would share") {
      var batch = tasks.database.batch()
      for number in 0..<20 { batch.delete(try tasks.document("\(number)")) }
      try batch.commit()
    }
    attempt("transaction") {
      try tasks.database.runTransaction { _ = try $0.getDocument(tasks.document("0")) }
    }
  }

  private func tryAdministration(of database: Database) {
    attempt("create an index") {
      try database.indexes.create(Self.index("n", "text"))
    }
    attempt("list indexes") { _ = try database.indexes.list() }
    attempt("list builds") { _ = try database.indexes.builds() }
    attempt("wait for a build") { try build?.wait() }
    attempt("set the pace") { try database.indexes.setPace(BuildPace(documentsPerSecond: 1)) }
    attempt("verify") { _ = try database.verify() }
    attempt("compact") { try database.compact() }
    say("the pace is unlimited: \(database.indexes.pace == .unlimited)")
  }

  func forkAndRelease() throws {
    let child = makeChild()
    guard child == 0 else { return waitForEnd(of: child) }
    weak let released = database
    (moment, build, database) = (nil, nil, nil)
    say("released: \(released == nil)")
    _exit(0)
  }

  /// - Parameter isRemembered: whether the documents have been read before, so that no file is
  ///   read.
  func forkInScan(isRemembered: Bool) throws {
    let tasks = try opened().collection("tasks")
    for _ in 0..<(isRemembered ? 5 : 0) { _ = try tasks.order(by: "n").getDocuments() }
    var child: pid_t = -1
    attempt("scan") {
      try tasks.order(by: "n").forEachDocument { _ in
        if child < 0 { child = makeChild() }
        return true
      }
      // The parent waits for its child, and says afterwards how its own scan ended.
      if child > 0 { waitForEnd(of: child) }
    }
    if child == 0 { _exit(0) }
  }

  // MARK: In the parent

  /// Continues as if there had been no child.
  func goOn() throws {
    attempt("the parent writes") {
      try opened().collection("tasks").document("parent").setData(["n": 1])
    }
    attempt("somebody else opens it") { _ = try Database.open(at: path) }
    let socket = FileManager.default.fileExists(atPath: path + "/admin.sock")
    say("the admin socket is there: \(socket)")
    listener?.remove()
    try opened().close()
    (moment, build, database) = (nil, nil, nil)
    let database = try Database.open(at: path)
    let report = try database.verify()
    say("documents: \(report.documentCount), all well: \(report.isClean)")
    try database.close()
  }
}
