import Hearth
import Testing

// The code of TypedCollections.md, word for word: DocumentationTests compares the two.

struct Book: FieldKeyed, Sendable {
  @DocumentID var id: String?
  var title: String
  var author: String
  var year: Int
  var tags: [String] = []
  var loanCount = 0
  var lentTo: String?

  static let fieldKeys = FieldKeys<Book>(
    CodingKeys.self, id: \.id,
    [
      \.title: .title, \.author: .author, \.year: .year, \.tags: .tags, \.loanCount: .loanCount,
      \.lentTo: .lentTo,
    ])
}

@Suite struct TypedCollectionsExamples {
  func someBooks(of author: String, in library: Database) throws -> [Book] {
    let books = try library.collection("books", of: Book.self)
    let recent = try books.where(\.author == author && \.year >= 2000)
      .order(by: \.year, descending: true).limit(to: 20)
    return try recent.getDocuments()
  }

  func figures(of library: Database) throws -> (free: Int, loans: Int) {
    let books = try library.collection("books", of: Book.self)
    let crime = try books.where(\.tags, arrayContains: "crime")
    return (try crime.where(\.loanCount == 0).count(), try books.sum(\.loanCount))
  }

  func lend(_ id: String, to reader: String, in library: Database) throws {
    let books = try library.collection("books", of: Book.self)
    try books.update(id, .set(\.lentTo, to: reader), .increment(\.loanCount, by: 1))
  }

  func takeBack(_ id: String, in library: Database) throws -> Book? {
    let books = try library.collection("books", of: Book.self)
    try books.update(id, .delete(\.lentTo), .arrayUnion(\.tags, ["read"]))
    return try books.getDocument(id)
  }

  func correct(_ title: String, of book: Book, in library: Database) throws {
    var book = book
    book.title = title
    try library.collection("books", of: Book.self).set(book)
  }

  func watchLentBooks(in library: Database) async throws {
    let books = try library.collection("books", of: Book.self)
    for try await lent in try books.where(\.lentTo != nil).snapshots {
      print(lent.map(\.title).joined(separator: ", "))
    }
  }

  func lendIfFree(_ id: String, to reader: String, in library: Database) throws -> Bool {
    let books = try library.collection("books", of: Book.self)
    return try library.runTransaction { transaction in
      guard let book = try transaction.getDocument(id, in: books), book.lentTo == nil else {
        return false
      }
      let own = try transaction.getDocuments(books.where(\.lentTo == reader))
      guard own.count < 3 else { return false }
      try transaction.update(id, in: books, .set(\.lentTo, to: reader))
      return true
    }
  }

  private let library: Database

  init() throws {
    library = try Database.inMemory()
    let books = try library.collection("books", of: Book.self)
    for (id, year) in [("old", 1990), ("new", 2020), ("newer", 2021)] {
      try books.create(
        Book(title: id, author: "Ada", year: year, tags: ["crime"], loanCount: year - 1990), id: id)
    }
  }

  @Test func asks() throws {
    let missing = failure { _ = try someBooks(of: "Ada", in: library) }?.missingIndex
    try library.indexes.create(#require(missing))
    #expect(try someBooks(of: "Ada", in: library).map(\.id) == ["newer", "new"])
    #expect(try figures(of: library) == (1, 61))
  }

  @Test func lendsAndTakesBack() throws {
    try lend("old", to: "Bob", in: library)
    let lent = try library.collection("books", of: Book.self).getDocument("old")
    #expect(lent?.lentTo == "Bob")
    #expect(lent?.loanCount == 1)
    let back = try takeBack("old", in: library)
    #expect(back?.lentTo == nil)
    #expect(back?.tags == ["crime", "read"])
  }

  /// A value saved with nil has no field, which no filter finds.
  @Test func nilIsNoField() throws {
    let books = try library.collection("books", of: Book.self)
    #expect(try books.where(\.lentTo == nil).getDocuments().isEmpty)
  }

  @Test func corrects() throws {
    let books = try library.collection("books", of: Book.self)
    let book = try #require(try books.getDocument("old"))
    try correct("Old", of: book, in: library)
    #expect(try books.getDocument("old")?.title == "Old")
  }

  @Test func lendsOnlyWhatIsFree() throws {
    #expect(try lendIfFree("old", to: "Bob", in: library))
    #expect(try !lendIfFree("old", to: "Eve", in: library))
    #expect(try !lendIfFree("none", to: "Eve", in: library))
  }

  @Test func showsUntilItIsCancelled() async throws {
    let loop = Task { try await watchLentBooks(in: library) }
    loop.cancel()
    _ = await loop.result
  }
}
