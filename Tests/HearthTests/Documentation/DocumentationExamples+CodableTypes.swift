import Foundation
import Hearth
import Testing

// The code of CodableTypes.md, word for word: DocumentationTests compares the two.

@Suite struct CodableTypesExamples {
  struct City: Codable {
    struct Mayor: Codable {
      var name: String
      var since: Date
    }

    var name: String
    var population: Int
    var mayor: Mayor?
    var home: GeoPoint?
  }

  func move(_ id: String, in cities: CollectionReference) throws -> [City] {
    let reference = try cities.document(id)
    try reference.setData(from: City(name: "Edo", population: 1_000_000))

    var city = try reference.getDocument(as: City.self)
    city.name = "Tokyo"
    try reference.setData(from: city, merge: true)

    return try cities.order(by: "population").getDocuments().documents(as: City.self)
  }

  struct Ticket: Codable {
    var title: String
    @ExplicitNull var assignee: String?
  }

  func unassigned(in tickets: CollectionReference) throws -> [Ticket] {
    try tickets.addDocument(from: Ticket(title: "Paint the fence", assignee: nil))
    let query = try tickets.whereField("assignee", isEqualTo: .null)
    return try query.getDocuments().documents(as: Ticket.self)
  }

  struct Errand: Codable {
    @DocumentID var id: String?
    var title: String
    @ServerTimestamp var createdTime: Timestamp?
  }

  func add(_ title: String, to errands: CollectionReference) throws -> Errand {
    let reference = try errands.addDocument(from: Errand(title: title))
    var errand = try reference.getDocument(as: Errand.self)
    errand.title += "!"
    // The id is no field, and the time was read: it stays as it is.
    try reference.setData(from: errand, mergeFields: ["title", "createdTime"])
    return errand
  }

  func readInSnakeCase(_ snapshot: DocumentSnapshot) throws -> City {
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try snapshot.data(as: City.self, decoder: decoder)
  }

  func explain(_ snapshot: DocumentSnapshot) -> String {
    do {
      return try snapshot.data(as: City.self).name
    } catch {
      // Document "cities/x" doesn't decode as City.
      // Field "mayor.since": Found a string, wanted Date.
      guard let failure = error.codingFailure else { return error.message }
      return "\(failure.field ?? "the document") is \(failure.found ?? "odd")"
    }
  }

  @Test func theExamplesWork() throws {
    let database = try Database.inMemory()
    let cities = try database.collection("cities")
    #expect(try move("tokyo", in: cities).map(\.name) == ["Tokyo"])
    #expect(try unassigned(in: database.collection("tickets")).map(\.title) == ["Paint the fence"])

    let errand = try add("Buy milk", to: database.collection("errands"))
    #expect(errand.id != nil && errand.createdTime != nil)
    let stored = try database.collection("errands").getDocuments().documents[0]
    #expect(
      try stored.data() == [
        "title": "Buy milk!", "createdTime": .timestamp(#require(errand.createdTime)),
      ])

    let odd = try cities.document("odd")
    try odd.setData(["name": "Odd", "population": 1, "mayor": ["name": "Max", "since": "today"]])
    #expect(try explain(odd.getDocument()) == "mayor.since is a string")
    try odd.setData(["name": "Even", "population": 2])
    #expect(try explain(odd.getDocument()) == "Even")
    #expect(try readInSnakeCase(odd.getDocument()).population == 2)
  }
}
