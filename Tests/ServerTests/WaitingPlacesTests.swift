import HearthDocumentModel
import HearthServerCalls
import Testing

/// The places of calls that wait.
@Suite struct WaitingPlacesTests {
  @Test func oneKindTakesNoPlacesOfAnother() throws {
    let places = WaitingPlaces(limit: 2)
    for kind in [WaitingPlaces.Kind.change, .read, .end] {
      try places.enter(kind)
      try places.enter(kind)
      let error = #expect(throws: DatabaseError.self) { try places.enter(kind) }
      #expect(error?.code == .resourceExhausted)
    }
    places.leave(.read)
    try places.enter(.read)
    #expect(throws: DatabaseError.self) { try places.enter(.read) }
  }
}
