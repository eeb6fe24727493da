import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Testing

/// Partitions page by page, and in the past (§9.3).
@Suite struct PartitionCallTests {
  private typealias Request = Google_Firestore_V1_PartitionQueryRequest

  private let database: Database
  private let calls: DocumentCalls

  init() throws {
    database = try Database.inMemory(history: HistoryLimits())
    calls = DocumentCalls(OneDatabase(database: database))
    try write(0..<2_000)
  }

  private func write(_ numbers: Range<Int>) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
      var batch = database.batch()
      for number in start..<start + 500 {
        batch.setData(["n": 1], for: try database.document("items/\(number)"))
      }
      try batch.commit()
    }
  }

  private func request(_ change: (inout Request) -> Void = { _ in }) -> Request {
    .with { request in
      request.parent = "\(DatabaseID.default)/documents"
      request.partitionCount = 5
      request.structuredQuery.from = [
        .with {
          $0.collectionID = "items"
          $0.allDescendants = true
        }
      ]
      change(&request)
    }
  }

  private func names(_ answer: Google_Firestore_V1_PartitionQueryResponse) -> [String] {
    answer.partitions.map { $0.values.first?.referenceValue ?? "" }
  }

  private func all(_ change: (inout Request) -> Void = { _ in }) async throws -> [String] {
    names(try await calls.partitionQuery(request(change), CallContext()))
  }

  /// Returns the cursors of each page.
  private func pages(
    ofSize size: Int32, between: () throws -> Void = {}
  ) async throws -> [[String]] {
    var (pages, token): ([[String]], String) = ([], "")
    repeat {
      let answer = try await calls.partitionQuery(
        request {
          $0.pageSize = size
          $0.pageToken = token
        }, CallContext())
      pages.append(names(answer))
      token = answer.nextPageToken
      try between()
    } while !token.isEmpty
    return pages
  }

  @Test func pagesAreTheWhole() async throws {
    let all = try await all()
    #expect(all.count == 5)
    for (size, counts) in [(1, [1, 1, 1, 1, 1]), (2, [2, 2, 1]), (5, [5]), (9, [5])] {
      let pages = try await pages(ofSize: Int32(size))
      #expect(pages.map(\.count) == counts)
      #expect(pages.flatMap { $0 } == all)
    }
  }

  @Test func pagesOfAGroupThatGrowsAscend() async throws {
    var next = 2_000
    let pages = try await pages(ofSize: 2) {
      try write(next..<next + 2_000)
      next += 2_000
    }.flatMap { $0 }
    #expect(pages.count <= 5 && Set(pages).count == pages.count)
    let paths = try pages.map { try #require($0.split(separator: "/").last) }
    #expect(paths == paths.sorted())
  }

  @Test func theTokenOfAnotherRequestIsRefused() async throws {
    let token = try await calls.partitionQuery(
      request { $0.pageSize = 2 }, CallContext()
    ).nextPageToken
    #expect(!token.isEmpty)
    let changes: [(inout Request) -> Void] = [
      { $0.pageToken = token + "A" }, { $0.pageToken = "x" },
      {
        $0.pageToken = token
        $0.partitionCount = 6
      },
      {
        $0.pageToken = token
        $0.structuredQuery.from[0].collectionID = "others"
      },
    ]
    for change in changes {
      let error = await #expect(throws: DatabaseError.self) { _ = try await all(change) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == "invalid page token")
    }
  }

  @Test func thePastHasItsOwn() async throws {
    let past = try await all()
    let time = try await database.snapshot().readTime
    try write(2_000..<6_000)
    #expect(try await all() != past)
    #expect(
      try await all {
        $0.readTime = Google_Protobuf_Timestamp(seconds: time.seconds, nanos: time.nanoseconds)
      } == past)
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await all { $0.readTime = Google_Protobuf_Timestamp(seconds: 1) }
    }
    #expect(error?.code == .failedPrecondition || error?.code == .invalidArgument)
  }
}
