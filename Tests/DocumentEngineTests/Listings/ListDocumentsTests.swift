import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Listings by page (§7.5).
@Suite struct ListDocumentsTests {
  private let counter = StoreCounter()
  private let fixture: EngineFixture
  private let collection: ResourcePath

  init() throws {
    fixture = try EngineFixture(ObservedStore(MemoryStore(), observer: counter))
    collection = try ResourcePath("c")
    for path in [
      "c/a", "c/a/s/1", "c/b", "c/ghost/s/1", "c/ghost/t/2", "c/deep/s/x/t/y", "c/z/s/1", "c/z",
      "b/x/c/other", "d/1",
    ] {
      try fixture.set(path, ["n": .integer(Int64(path.utf8.count))])
    }
    // There was once a document below it.
    try fixture.set("c/gone/s/1", [:])
    _ = try fixture.engine.commit([.delete(ResourcePath("c/gone/s/1"))])
  }

  private func list(_ listing: DocumentListing) throws -> DocumentPage {
    try fixture.engine.readView().listDocuments(listing)
  }

  private func ids(_ listing: DocumentListing) throws -> [String] {
    try list(listing).entries.map { entry in
      (entry.record == nil ? "?" : "") + (entry.path.lastSegment ?? "")
    }
  }

  @Test func documentsAreListedByName() throws {
    #expect(try ids(DocumentListing(collection)) == ["a", "b", "z"])
    #expect(try list(DocumentListing(collection)).nextPageToken == nil)
    #expect(try ids(DocumentListing(ResourcePath("none"))).isEmpty)
    let page = try list(DocumentListing(collection))
    #expect(try page.entries[0].record?.fields() == ["n": 3])
  }

  @Test func missingDocumentsAreListedWhereSomethingLiesBelow() throws {
    #expect(
      try ids(DocumentListing(collection, showsMissing: true))
        == ["a", "b", "?deep", "?ghost", "z"])
    // A collection without a document of its own.
    #expect(try ids(DocumentListing(ResourcePath("b"), showsMissing: true)) == ["?x"])
    #expect(try ids(DocumentListing(ResourcePath("c/deep/s"), showsMissing: true)) == ["?x"])
  }

  @Test func pagesFollowEachOther() throws {
    var listing = DocumentListing(collection, pageSize: 2, showsMissing: true)
    var pages: [[String]] = []
    repeat {
      pages.append(try ids(listing))
      listing.pageToken = try list(listing).nextPageToken ?? ""
    } while !listing.pageToken.isEmpty
    #expect(pages == [["a", "b"], ["?deep", "?ghost"], ["z"]])
    listing.pageSize = 5
    #expect(try list(listing).nextPageToken == nil, "a full last page")
    listing.pageSize = .max
    #expect(try list(listing).entries.count == 5)
  }

  @Test func aPageGoesOnWhereTheLastOneEnded() throws {
    var listing = DocumentListing(collection, pageSize: 2)
    listing.pageToken = try #require(try list(listing).nextPageToken)
    _ = try fixture.engine.commit([.delete(ResourcePath("c/b"))])
    try fixture.set("c/aa", [:])
    try fixture.set("c/bb", [:])
    #expect(try ids(listing) == ["bb", "z"])
  }

  @Test func documentsAreListedInAnyOrder() throws {
    let orders = [Order(try FieldPath("n"), .descending), Order(.documentID, .descending)]
    for path in ["c/x", "c/y"] { try fixture.set(path, ["n": 3.0, "m": 1]) }
    var listing = DocumentListing(collection, pageSize: 2, orders: orders)
    #expect(try ids(listing) == ["z", "y"])
    listing.pageToken = try #require(try list(listing).nextPageToken)
    // The next page continues after the values that it showed, even if their documents changed.
    try fixture.set("c/y", ["n": 100])
    #expect(try ids(listing) == ["x", "b"])
    listing.pageToken = try #require(try list(listing).nextPageToken)
    #expect(try ids(listing) == ["a"])
    #expect(try list(listing).nextPageToken == nil)
    #expect(try ids(DocumentListing(collection, orders: [Order(try FieldPath("m"))])) == ["x"])
    let byName = DocumentListing(collection, pageSize: 2, orders: [Order(.documentID)])
    #expect(try ids(byName) == ["a", "b"])
    #expect(
      code { _ = try list(DocumentListing(collection, orders: [Order(.documentID, .descending)])) }
        == .failedPrecondition, "no index")
  }

  /// The name decides among equal documents, though the order doesn't say so.
  @Test func anOrderWithoutTheNameContinuesAmongEquals() throws {
    for direction in [SortDirection.ascending, .descending] {
      for (path, n) in [("c/a", 1), ("c/b", 1), ("c/x", 1), ("c/y", 2)] {
        try fixture.set(path, ["n": .integer(Int64(n))])
      }
      let orders = [Order(try FieldPath("n"), direction)]
      let all = try ids(DocumentListing(collection, orders: orders))
      var listing = DocumentListing(collection, pageSize: 1, orders: orders)
      var found: [String] = []
      repeat {
        found += try ids(listing)
        listing.pageToken = try list(listing).nextPageToken ?? ""
      } while !listing.pageToken.isEmpty && found.count <= all.count
      #expect(found == all)
      #expect(found.count >= 4)
    }
  }

  @Test func wrongListingsAreRefused() throws {
    #expect(
      message { _ = try list(DocumentListing(collection, pageSize: -1)) }
        == "Page size must be nonnegative.")
    let token = try #require(try list(DocumentListing(collection, pageSize: 1)).nextPageToken)
    for listing in [
      DocumentListing(collection, pageToken: "not-a-token"),
      DocumentListing(collection, pageToken: "AAAAAAAAAAAAAA"),
      DocumentListing(collection, pageToken: "é"),
      DocumentListing(collection, pageToken: token + "A"),
      DocumentListing(collection, pageToken: String(token.dropLast())),
      DocumentListing(try ResourcePath("d"), pageToken: token),
      DocumentListing(collection, pageToken: token, showsMissing: true),
      DocumentListing(collection, pageToken: token, orders: [Order(try FieldPath("n"))]),
    ] {
      #expect(message { _ = try list(listing) } == "invalid page token")
    }
    // The page size may change.
    #expect(try ids(DocumentListing(collection, pageSize: 9, pageToken: token)) == ["b", "z"])
    let both = DocumentListing(collection, showsMissing: true, orders: [Order(.documentID)])
    #expect(code { _ = try list(both) } == .invalidArgument)
    #expect(code { _ = try list(DocumentListing(.root)) } == .invalidArgument)
  }

  @Test func aPageCostsWhatIsOnIt() throws {
    for number in 0..<1_000 { try fixture.set("big/\(1_000 + number)", ["n": 1]) }
    counter.reset()
    let page = try list(
      DocumentListing(try ResourcePath("big"), pageSize: 10, showsMissing: true))
    #expect(page.entries.count == 10)
    let counts = counter.counts
    #expect(counts.nexts <= 22 && counts.seeks <= 3 && counts.gets <= 2, "\(counts)")
  }

  @Test func collectionsAreListedByPage() throws {
    let view = try fixture.engine.readView()
    #expect(try view.listCollectionIDs(below: .root).ids == ["b", "c", "d"])
    let first = try view.listCollectionIDs(below: .root, pageSize: 2)
    #expect(first.ids == ["b", "c"])
    let token = try #require(first.nextPageToken)
    let second = try view.listCollectionIDs(below: .root, pageSize: 1, pageToken: token)
    #expect(second.ids == ["d"])
    #expect(second.nextPageToken == nil)
    let ghost = try ResourcePath("c/ghost")
    #expect(try view.listCollectionIDs(below: ghost, pageSize: 2).ids == ["s", "t"])
    #expect(
      message { _ = try view.listCollectionIDs(below: ghost, pageToken: token) }
        == "invalid page token")
    #expect(
      message { _ = try view.listCollectionIDs(below: .root, pageSize: -1) }
        == "Page size must be nonnegative.")
  }

  @Test func severalDocumentsAreReadOnceEach() throws {
    let paths = try ["c/b", "c/ghost", "c/a", "c/b"].map { try ResourcePath($0) }
    let documents = try fixture.engine.readView().documents(at: paths)
    #expect(documents.map(\.path.description) == ["c/b", "c/ghost", "c/a"])
    #expect(documents.map { $0.record != nil } == [true, false, true])
  }
}

/// All pages of a listing together are the documents of the collection, with the missing ones if
/// requested.
@Suite struct ListDocumentsLawTests {
  @Test func pagesAddUpToTheCollection() throws {
    let seed = GeneratedCases.seed()
    var entryCount = 0
    for number in 0..<GeneratedCases.count(per: 20) {
      var random = SplitMix64(seed: seed &+ UInt64(number))
      let fixture = try EngineFixture()
      let ids = ["a", "a!", "ab", "b", "\u{E9}", "e\u{301}", "x\u{0}", "x"]
      var paths: Set<ResourcePath> = []
      for _ in 0..<Int.random(in: 1...14, using: &random) {
        var path = ResourcePath.root
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          path = try path.appending(random.pick(["c", "c!", "d"])).appending(random.pick(ids))
        }
        let isDeletion = random.oneIn(4)
        // A deletion leaves the collection.
        if isDeletion, !paths.isEmpty { path = random.pick(paths.sorted()) }
        _ = try fixture.engine.commit([isDeletion ? .delete(path) : .set(path, [:])])
        if isDeletion { paths.remove(path) } else { paths.insert(path) }
      }
      let collection = try ResourcePath("c")
      for showsMissing in [false, true] {
        let expected = paths.compactMap { path -> ResourcePath? in
          guard path.hasPrefix(collection) else { return nil }
          let member = ResourcePath(unchecked: Array(path.segments.prefix(2)))
          return showsMissing || member == path ? member : nil
        }
        var listing = DocumentListing(
          collection, pageSize: .random(in: 1...4, using: &random), showsMissing: showsMissing)
        var entries: [DocumentPage.Entry] = []
        repeat {
          let page = try fixture.engine.readView().listDocuments(listing)
          #expect(page.entries.count == listing.pageSize || page.nextPageToken == nil)
          entries += page.entries
          listing.pageToken = page.nextPageToken ?? ""
        } while !listing.pageToken.isEmpty
        guard entries.map(\.path) == Set(expected).sorted(),
          entries.allSatisfy({ ($0.record != nil) == paths.contains($0.path) })
        else {
          let again = "HEARTH_SEED=\(seed &+ UInt64(number)) HEARTH_CASES=1"
          Issue.record("\(again): \(entries.map(\.path)) of \(paths)")
          return
        }
        entryCount += entries.count
      }
    }
    if GeneratedCases.areMany() { #expect(entryCount > GeneratedCases.count(per: 20)) }
  }
}
