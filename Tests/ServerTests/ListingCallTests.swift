import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Testing

/// The bounds of listings, regardless of the request (W§3.3).
@Suite struct ListingCallTests {
  private typealias Request = Google_Firestore_V1_ListDocumentsRequest

  private let database: Database
  private let calls: DocumentCalls

  init() throws {
    database = try Database.inMemory()
    calls = DocumentCalls(OneDatabase(database: database))
  }

  private func write(_ paths: [String], _ fields: MapValue = [:]) throws {
    var batch = database.batch()
    for path in paths { batch.setData(fields, for: try database.document(path)) }
    try batch.commit()
  }

  /// Returns the number of documents on each page.
  private func pages(_ change: (inout Request) -> Void) async throws -> [Int] {
    var (counts, token): ([Int], String) = ([], "")
    repeat {
      let answer = try await calls.listDocuments(
        .with { request in
          request.parent = "\(DatabaseID.default)/documents"
          request.pageSize = .max
          change(&request)
          request.pageToken = token
        }, CallContext())
      counts.append(answer.documents.count)
      token = answer.nextPageToken
    } while !token.isEmpty
    return counts
  }

  @Test func aPageHasAtMost300Documents() async throws {
    try write((0..<301).map { "c/\($0)" }, ["n": 1])
    try write((0..<301).map { "d/\($0)" })
    #expect(try await pages { $0.collectionID = "c" } == [300, 1])
    #expect(
      try await pages {
        $0.collectionID = "c"
        $0.orderBy = "n"
      } == [300, 1])
    #expect(try await pages { _ in } == [300, 300, 2])
  }

  @Test func aPageEndsAtTenMebibytes() async throws {
    let text = Value.string(String(repeating: "x", count: 1_000_000))
    for collection in ["c", "d"] {
      for number in 0..<12 { try write(["\(collection)/\(number)"], ["t": text]) }
    }
    #expect(try await pages { $0.collectionID = "c" } == [11, 1])
    #expect(
      try await pages {
        $0.collectionID = "c"
        $0.orderBy = "t"
      } == [11, 1])
    #expect(try await pages { _ in } == [11, 11, 2])
  }

  @Test func aPageHasAtMost300Ids() async throws {
    try write((0..<301).map { "c\($0)/x" })
    var (counts, token): ([Int], String) = ([], "")
    repeat {
      let answer = try await calls.listCollectionIds(
        .with { request in
          request.parent = "\(DatabaseID.default)/documents"
          request.pageSize = .max
          request.pageToken = token
        }, CallContext())
      counts.append(answer.collectionIds.count)
      token = answer.nextPageToken
    } while !token.isEmpty
    #expect(counts == [300, 1])
  }

  @Test func aListingEndsWithItsCall() async throws {
    try write(["c/a"])
    let requests = ["", "c"].map { id in
      Request.with { request in
        request.parent = "\(DatabaseID.default)/documents"
        request.collectionID = id
      }
    }
    let ids = Google_Firestore_V1_ListCollectionIdsRequest.with {
      $0.parent = "\(DatabaseID.default)/documents"
    }
    func codes(_ context: CallContext) async -> [DatabaseError.Code?] {
      var codes: [DatabaseError.Code?] = []
      for request in requests {
        do {
          _ = try await calls.listDocuments(request, context)
          codes.append(nil)
        } catch {
          codes.append(error.code)
        }
      }
      do {
        _ = try await calls.listCollectionIds(ids, context)
        codes.append(nil)
      } catch {
        codes.append(error.code)
      }
      return codes
    }
    #expect(await codes(CallContext()) == [nil, nil, nil])
    #expect(
      await codes(CallContext(deadline: .now))
        == Array(repeating: .deadlineExceeded, count: 3))
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await codes(CallContext())
    }
    #expect(await cancelled.value == Array(repeating: .cancelled, count: 3))
  }
}
