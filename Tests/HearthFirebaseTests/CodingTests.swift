import Foundation
import HearthFirebase
import Testing

@Suite struct CodingTests {
  private struct Article: Codable, Equatable {
    @DocumentID var id: String?
    @DocumentID var reference: DocumentReference?
    var title: String
    @ServerTimestamp var created: Timestamp?
    @ServerTimestamp var touched: Date?
    @ExplicitNull var editor: String?
    var place: GeoPoint?
    var vector: VectorValue?
    var source: DocumentReference?
    var data: Data?
    var published: Timestamp?
  }

  private struct Size: Codable, Equatable {
    var squareMeters: Int
  }

  private let firestore: Firestore
  private let articles: CollectionReference

  init() throws {
    firestore = try Firestore.inMemory()
    articles = firestore.collection("articles")
  }

  @Test func `a type goes into a document and comes back`() async throws {
    let article = Article(
      title: "One", place: GeoPoint(latitude: 1, longitude: 2), vector: [1, 2],
      source: firestore.document("sources/a"), data: Data([1]),
      published: Timestamp(seconds: 7, nanoseconds: 1000))
    let document = try articles.addDocument(from: article)
    let snapshot = try await document.getDocument()
    #expect(snapshot["editor"] is NSNull)
    #expect(snapshot["id"] == nil)
    #expect(snapshot["created"] is Timestamp)
    var decoded = try snapshot.data(as: Article.self)
    #expect(decoded.id == document.documentID)
    #expect(decoded.reference == document)
    #expect(decoded.created?.dateValue() == decoded.touched)
    decoded.id = nil
    decoded.reference = nil
    decoded.created = nil
    decoded.touched = nil
    #expect(decoded == article)
    #expect(try await document.getDocument(as: Article.self).title == "One")
  }

  @Test func `merges of a type`() async throws {
    let document = articles.document("one")
    try await document.setData(["title": "Old", "squareMeters": 1, "extra": true])
    try document.setData(from: Size(squareMeters: 2), merge: true)
    #expect(try await document.getDocument().data()?.count == 3)
    try document.setData(
      from: Article(title: "New", data: Data()), mergeFields: ["title", FieldPath(["created"])])
    let data = try #require(try await document.getDocument().data())
    #expect(data["title"] as? String == "New")
    #expect(data["created"] is Timestamp)
    #expect(data["editor"] == nil)
    #expect(data["data"] == nil)
    #expect(data["squareMeters"] as? Int == 2)
  }

  @Test func `batches and transactions take types`() async throws {
    let (one, two) = (articles.document("one"), articles.document("two"))
    try await firestore.batch()
      .setData(from: Size(squareMeters: 1), forDocument: one)
      .setData(["title": "Two"], forDocument: two)
      .setData(from: Size(squareMeters: 2), forDocument: two, merge: true)
      .setData(
        from: Article(title: "Three"), forDocument: two, mergeFields: ["editor"]
      ).commit()
    #expect(try await one.getDocument(as: Size.self) == Size(squareMeters: 1))
    #expect(try await two.getDocument().data()?.count == 3)
    _ = try await firestore.runTransaction { transaction, errorPointer in
      do {
        let size = try transaction.getDocument(one).data(as: Size.self)
        try transaction.setData(
          from: Size(squareMeters: size.squareMeters + 1), forDocument: one)
        try transaction.setData(from: size, forDocument: two, merge: true)
        try transaction.setData(from: size, forDocument: two, mergeFields: ["squareMeters"])
      } catch {
        errorPointer?.pointee = error as NSError
      }
      return nil
    }
    #expect(try await one.getDocument(as: Size.self) == Size(squareMeters: 2))
    #expect(try await two.getDocument(as: Size.self) == Size(squareMeters: 1))
  }

  @Test func `what doesn't fit is Swift's own error`() async throws {
    let document = articles.document("one")
    try await document.setData(["squareMeters": "many"])
    do {
      _ = try await document.getDocument(as: Size.self)
      Issue.record("It was decoded.")
    } catch DecodingError.typeMismatch(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["squareMeters"])
    }
    try await document.setData([:])
    await #expect(throws: DecodingError.self) { try await document.getDocument(as: Size.self) }
    try await document.delete()
    await #expect(throws: DecodingError.self) { try await document.getDocument(as: Size.self) }
    #expect(try await document.getDocument(as: Size?.self) == nil)
    #expect(throws: EncodingError.self) { try document.setData(from: 1) }
    #expect(throws: EncodingError.self) {
      try articles.addDocument(
        from: Article(title: "x", place: GeoPoint(latitude: 91, longitude: 0)))
    }
    #expect(try await articles.getDocuments().isEmpty)
  }

  @Test func `the handler gets the type`() async throws {
    let document = articles.document("one")
    try await document.setData(["squareMeters": 3])
    let (stream, continuation) = AsyncStream.makeStream(of: Result<Size, any Error>.self)
    document.getDocument(as: Size.self) { continuation.yield($0) }
    articles.document("none").getDocument(as: Size.self) { continuation.yield($0) }
    var results: [Size?] = []
    for await result in stream {
      results.append(try? result.get())
      if results.count == 2 { break }
    }
    #expect(results.contains(Size(squareMeters: 3)))
    #expect(results.contains(nil))
  }

  @Test func `a decoded reference leads to the database that it came from`() async throws {
    struct Link: Codable { var target: DocumentReference }
    let document = articles.document("one")
    try document.setData(from: Link(target: articles.document("two")))
    let target = try await document.getDocument(as: Link.self).target
    #expect(target.firestore === firestore)
  }

  @Test func `coders have strategies`() async throws {
    let encoder = Firestore.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let document = try articles.addDocument(from: Size(squareMeters: 5), encoder: encoder)
    #expect(try await document.getDocument()["square_meters"] as? Int == 5)
    let decoder = Firestore.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let size = try await document.getDocument(as: Size.self, decoder: decoder)
    #expect(size == Size(squareMeters: 5))
  }

  @Test func `types and dictionaries`() async throws {
    let dictionary = try Firestore.Encoder().encode(Article(title: "One"))
    #expect(dictionary["title"] as? String == "One")
    let created = try #require(dictionary["created"] as? FieldValue)
    let refusal = await #expect(throws: NSError.self) {
      try await articles.document("refused").setData(["all": [created]])
    }
    #expect(
      refusal?.localizedDescription
        == "FieldValue.serverTimestamp() is not currently supported inside arrays")
    #expect(dictionary["editor"] is NSNull)
    let document = articles.document("one")
    try await document.setData(dictionary)
    let snapshot = try await document.getDocument()
    #expect(snapshot["created"] is Timestamp)
    let data = try #require(snapshot.data())
    let article = try Firestore.Decoder().decode(Article.self, from: data, in: document)
    #expect(article.id == "one")
    #expect(article == (try snapshot.data(as: Article.self)))
    #expect(throws: DecodingError.self) {
      try Firestore.Decoder().decode(Size.self, from: ["squareMeters": 1.5], in: document)
    }
    #expect(throws: DecodingError.self) {
      try Firestore.Decoder().decode(Size.self, from: [1], in: document)
    }
  }
}
