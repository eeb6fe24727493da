import Foundation
import HearthFirebase
import XCTest

// The base class of the SDK's integration tests and its helpers, under the names that the tests
// use. There a test talks to a server; here every `Firestore` is the one database of the process.

enum FSTBackendEdition {
  case standard
  case enterprise
}

class FSTIntegrationTestCase: XCTestCase {
  lazy var db = Firestore.firestore()
  lazy var eventAccumulator = FSTEventAccumulator<any SnapshotEvent>(forTest: self)

  override func setUpWithError() throws {
    try super.setUpWithError()
    _ = try TestDatabase.open()
  }

  class func backendEdition() -> FSTBackendEdition { .standard }

  /// Whether queries need no index. The indexes that the tests need exist, so none is missing.
  class func isRunningAgainstEmulator() -> Bool { true }

  // MARK: Places

  func documentRef() -> DocumentReference { collectionRef().document() }

  func collectionRef() -> CollectionReference {
    db.document("tests/\(UUID().uuidString)").collection(TestDatabase.collectionID)
  }

  func collectionRef(withDocuments documents: [String: [String: Any]]) -> CollectionReference {
    let collection = collectionRef()
    writeAllDocuments(documents, toCollection: collection)
    return collection
  }

  // MARK: Writing

  func writeAllDocuments(
    _ documents: [String: [String: Any]], toCollection collection: CollectionReference
  ) {
    let batch = collection.firestore.batch()
    for (id, data) in documents { batch.setData(data, forDocument: collection.document(id)) }
    succeed("commit") { batch.commit(completion: $0) }
  }

  @discardableResult
  func addDocumentRef(
    _ collection: CollectionReference, data: [String: Any]
  ) -> DocumentReference {
    let document = collection.document()
    succeed("addDocument") { document.setData(data, completion: $0) }
    return document
  }

  func updateDocumentRef(_ document: DocumentReference, data: [AnyHashable: Any]) {
    succeed("updateData") { document.updateData(data, completion: $0) }
  }

  func runTransaction(
    _ firestore: Firestore, block: @escaping (Transaction, NSErrorPointer) -> Any?
  ) {
    _ = Waiting.result(of: "runTransaction") { finish in
      firestore.runTransaction(block) { _, error in finish(error as Any) }
    }
  }

  func enableNetwork() { succeed("enableNetwork") { db.enableNetwork(completion: $0) } }

  func disableNetwork() { succeed("disableNetwork") { db.disableNetwork(completion: $0) } }

  private func succeed(_ name: String, _ call: (@escaping ((any Error)?) -> Void) -> Void) {
    let errors = Waiting.result(of: name) { finish in call { finish([$0].compactMap(\.self)) } }
    XCTAssertEqual(errors.map(\.localizedDescription), [], name)
  }

  // MARK: Reading

  @discardableResult
  func readDocument(
    forRef document: DocumentReference, source: FirestoreSource = .default
  ) -> DocumentSnapshot {
    let result = Waiting.result(of: "getDocument") { finish in
      document.getDocument(source: source) { finish(Reading($0, $1)) }
    }
    return result.required("getDocument")
  }

  /// Creates indexes that the query needs.
  @discardableResult
  func readDocumentSet(
    forRef query: Query, source: FirestoreSource = .default
  ) -> QuerySnapshot {
    let result = Waiting.result(of: "getDocuments") { finish in
      query.getDocuments(source: source) { finish(Reading($0, $1)) }
    }
    if let error = result.error, (try? TestDatabase.createIndex(missingIn: error)) == true {
      return readDocumentSet(forRef: query, source: source)
    }
    return result.required("getDocuments")
  }

  func checkOnlineAndOfflineCollection(
    _ collection: Query, query: Query, matchesResult expected: [String]
  ) {
    readDocumentSet(forRef: collection, source: .server)
    for source in [FirestoreSource.cache, .server] {
      XCTAssertEqual(
        FIRQuerySnapshotGetIDs(readDocumentSet(forRef: query, source: source)), expected)
    }
  }

  // MARK: Expectations

  func completionForExpectation(withName name: String) -> ((any Error)?) -> Void {
    let expectation = expectation(description: name)
    return { error in
      XCTAssertNil(error, name)
      expectation.fulfill()
    }
  }

  func awaitExpectations() { waitForExpectations(timeout: Waiting.patience) }
}

private struct Reading<Snapshot> {
  let snapshot: Snapshot?
  let error: (any Error)?

  init(_ snapshot: Snapshot?, _ error: (any Error)?) {
    self.snapshot = snapshot
    self.error = error
  }

  func required(_ name: String) -> Snapshot {
    guard let snapshot else { Waiting.giveUp("\(name): \(error?.localizedDescription ?? "")") }
    return snapshot
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
func FIRQuerySnapshotGetIDs(_ snapshot: QuerySnapshot) -> [String] {
  snapshot.documents.map(\.documentID)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
func FIRQuerySnapshotGetData(_ snapshot: QuerySnapshot) -> [[String: Any]] {
  snapshot.documents.map { $0.data() }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
func FSTTestDocRef(_ path: String) -> DocumentReference {
  _ = try? TestDatabase.open()
  return Firestore.firestore().document(path)
}

// MARK: - Exceptions

/// The SDK raises exceptions of Objective-C where `HearthFirebase` reports an error that no caller
/// receives.
enum FSTNSExceptionUtil {
  static func testForException(_ body: () -> Void, reasonContains reason: String) -> Bool {
    let lock = NSLock()
    nonisolated(unsafe) var reasons: [String] = []
    let firestore = Firestore.firestore()
    let settings = firestore.settings
    settings.unhandledErrorHandler = { error in
      lock.withLock { reasons.append(error.localizedDescription) }
    }
    firestore.settings = settings
    body()
    return lock.withLock { reasons.contains { $0.contains(reason) } }
  }
}

enum FSTExceptionCatcher {
  static func catchException(_ body: () -> Void) throws { body() }
}
