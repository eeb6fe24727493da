import Foundation
import HearthFirebase
import Synchronization
import Testing

/// The settings of programs at their start, and their meaning here.
@Suite struct SettingsTests {
  @Test func `every setting is accepted and read back`() throws {
    let firestore = try Firestore.inMemory()
    let settings = firestore.settings
    #expect(settings.host == "firestore.googleapis.com")
    #expect(settings.isSSLEnabled)
    #expect(settings.cacheSettings is PersistentCacheSettings)
    settings.host = "localhost:8080"
    settings.isSSLEnabled = false
    settings.isPersistenceEnabled = false
    settings.cacheSizeBytes = FirestoreCacheSizeUnlimited
    settings.cacheSettings = MemoryCacheSettings(
      garbageCollectorSettings: MemoryLRUGCSettings(sizeBytes: 2_000_000))
    firestore.settings = settings
    #expect(firestore.settings.host == "localhost:8080")
    #expect(!firestore.settings.isSSLEnabled)
    #expect(!firestore.settings.isPersistenceEnabled)
    #expect(firestore.settings.cacheSizeBytes == -1)
    let cache = try #require(firestore.settings.cacheSettings as? MemoryCacheSettings)
    #expect((cache.garbageCollectorSettings as? MemoryLRUGCSettings)?.sizeBytes == 2_000_000)
    #expect(PersistentCacheSettings() == PersistentCacheSettings(sizeBytes: 104_857_600))
  }

  @Test func `no setting drops data`() async throws {
    let firestore = try Firestore.inMemory()
    let settings = firestore.settings
    settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting())
    firestore.settings = settings
    let document = firestore.document("a/b")
    try await document.setData(["n": 1])
    let snapshot = try await document.getDocument(source: .cache)
    #expect(snapshot["n"] as? Int == 1)
    #expect(!snapshot.metadata.isFromCache)
  }

  @Test func `a cache's indexes are told from the database's`() async throws {
    let firestore = try Firestore.inMemory()
    let manager = try #require(firestore.persistentCacheIndexManager)
    #expect(manager == firestore.persistentCacheIndexManager)
    #expect(try manager != Firestore.inMemory().persistentCacheIndexManager)
    try await firestore.document("a/b").setData(["x": 1, "y": 1])
    let query = firestore.collection("a").whereField("x", isEqualTo: 1).order(by: "y")
    manager.enableIndexAutoCreation()
    await #expect(throws: NSError.self) { try await query.getDocuments() }
    manager.deleteAllIndexes()
    manager.disableIndexAutoCreation()
    let single = firestore.collection("a").whereField("x", isEqualTo: 1)
    #expect(try await single.getDocuments().count == 1)
    let settings = firestore.settings
    settings.cacheSettings = MemoryCacheSettings()
    firestore.settings = settings
    #expect(firestore.persistentCacheIndexManager == nil)
    settings.cacheSettings = PersistentCacheSettings()
    settings.isPersistenceEnabled = false
    firestore.settings = settings
    #expect(firestore.persistentCacheIndexManager == nil)
  }

  @Test func `without a network nothing changes`() async throws {
    let firestore = try Firestore.inMemory()
    let document = firestore.document("a/b")
    try await firestore.disableNetwork()
    // It completes, while Firebase's call waits for the network.
    try await document.setData(["n": 1])
    let pending = try await document.getDocument().metadata.hasPendingWrites
    #expect(!pending)
    let calls = Mutex<[String]>([])
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    withoutWaiting {
      document.setData(["n": 2]) { _ in calls.withLock { $0.append("written") } }
      firestore.enableNetwork { error in calls.withLock { $0.append("\(error as Any)") } }
      firestore.disableNetwork { error in
        calls.withLock { $0.append("\(error as Any)") }
        continuation.finish()
      }
    }
    for await _ in stream {}
    // Each is called after the requests before it; reads of each other run side by side.
    #expect(calls.withLock { $0.first } == "written")
    #expect(calls.withLock { $0.dropFirst().allSatisfy { $0 == "nil" } })
    try await firestore.enableNetwork()
  }

  @Test func `the only copy is not cleared`() async throws {
    let firestore = try Firestore.inMemory()
    let document = firestore.document("a/b")
    try await document.setData(["n": 1])
    let error = await #expect(throws: NSError.self) { try await firestore.clearPersistence() }
    #expect(error?.domain == FirestoreErrorDomain)
    #expect(error?.code == FirestoreErrorCode.failedPrecondition.rawValue)
    #expect(error?.localizedDescription.contains("the only copy of its data") == true)
    let told = await completion { firestore.clearPersistence(completion: $0) }
    #expect((told as NSError?)?.code == FirestoreErrorCode.failedPrecondition.rawValue)
    #expect(try await document.getDocument().exists)
    try await firestore.terminate()
    await #expect(throws: NSError.self) { try await firestore.clearPersistence() }
  }

  @Test func `configuring an app names no database`() async throws {
    FirebaseApp.configure()
    let app = FirebaseApp.app()
    #expect(app != nil)
    FirebaseApp.configure()
    #expect(app === FirebaseApp.app())
    let unnamed = Firestore.firestore(database: "SettingsTests")
    let error = await #expect(throws: NSError.self) {
      try await unnamed.document("a/b").setData([:])
    }
    #expect(error?.localizedDescription.contains("Firestore.configure(at:)") == true)
  }
}
