import HearthDocumentModel

/// A request of a committer, as the locks see it.
struct LockingRequest: LockWaiter {
  let request: CommitRequest
  let committer: Committer

  var id: ObjectIdentifier { ObjectIdentifier(request) }
  var mayWait: Bool { request.mayPark }

  func endTime() { request.endParking() }
  func park() { request.park() }
  func resume() { committer.putBack(request) }
  func refuse() { _ = request.answer(with: .failure(.contention)) }
}
