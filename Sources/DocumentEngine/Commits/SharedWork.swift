import HearthOrderedStore

/// Threads that share work on many places with the thread that has it to do.
package struct SharedWork: Sendable {
  /// The smallest number of places that are shared.
  static let placeCount = 16
  /// The number of places that a thread takes at once.
  fileprivate static let portion = 8

  /// The largest number of threads that help.
  let helperCount: Int
  /// Starts work on one of them, some time or never.
  let start: @Sendable (@escaping @Sendable () -> Void) -> Void

  package init(
    helperCount: Int, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    (self.helperCount, self.start) = (helperCount, start)
  }

  /// Returns what `body` makes of all places up to `count`, of a few of them at a time, in their
  /// order.
  ///
  /// - Throws: `internal`, which no caller causes.
  package func outputs<Output: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ places: Range<Int>) -> [Output]
  ) throws -> SharedOutputs<Output> {
    let taken = Lock(0)
    let work: @Sendable () -> [(place: Int, outputs: [Output])] = {
      var portions: [(place: Int, outputs: [Output])] = []
      while true {
        let place = taken.withLock { taken in
          defer { taken += SharedWork.portion }
          return taken
        }
        guard place < count else { return portions }
        portions.append((place, body(place..<min(place + SharedWork.portion, count))))
      }
    }
    // No helper is started that would find nothing to do.
    let helpers = (0..<min(helperCount, (count - 1) / SharedWork.portion)).map { _ in
      SideWork(work)
    }
    for helper in helpers { start { helper.run() } }
    let portions = try helpers.reduce(into: work()) { $0 += try $1.output() }
    return SharedOutputs(portions: portions.sorted { $0.place < $1.place }.map(\.outputs))
  }
}

/// The outputs of shared work, in the order of places.
package struct SharedOutputs<Output: Sendable>: Sendable {
  fileprivate let portions: [[Output]]

  /// The output of a place, of outputs with one for each.
  package subscript(place: Int) -> Output {
    portions[place / SharedWork.portion][place % SharedWork.portion]
  }

  /// The first output, of outputs with any number for each place.
  package var first: Output? { portions.lazy.joined().first }
}

extension EngineSettings {
  /// The threads that share work; `nil` for none.
  var sharedWork: SharedWork? {
    startWork.map { SharedWork(helperCount: helperCount, start: $0) }
  }
}
