import Foundation
import HearthFirebase

extension Application {
  /// Lets the child make calls of Firebase's kind, each of which answers on a queue in the parent.
  func forkAndTryFirebaseCalls() throws {
    let firestore = Firestore(try opened())
    let task = firestore.document("tasks/0")
    let child = makeChild()
    guard child == 0 else { return waitForEnd(of: child) }
    task.getDocument { _, error in Self.report("get", error) }
    task.setData(["n": 1]) { error in Self.report("set", error) }
    _ = task.addSnapshotListener { _, error in Self.report("listen", error) }
    firestore.runTransaction({ _, _ in nil }) { _, error in Self.report("transaction", error) }
    firestore.waitForPendingWrites { error in Self.report("wait for writes", error) }
    _exit(0)
  }

  private static func report(_ name: String, _ error: (any Error)?) {
    let code = (error as NSError?)?.code
    say("\(name): \(code == FirestoreErrorCode.failedPrecondition.rawValue)")
  }
}
