package import Hearth
package import HearthDocumentModel
package import HearthServerCalls
import Synchronization

/// The open databases of a server: each is opened at its first use, and closed when it is idle.
///
/// References tell whether a database is in use. The registry hands out the object that it holds
/// itself, so a database to which the registry has the only reference is in nobody's use.
package final class DatabaseRegistry: AdministeredDatabases {
  /// Number of pauses of a call that waits for a database to be given back.
  package static let pauseCount = 100

  private let places: DatabasePlaces
  private let limit: Int
  private let idleTime: Duration
  private let cacheByteCount: Int
  private let pause: @Sendable () async -> Void
  private let note: @Sendable (ServerEvent) -> Void
  private let opened: @Sendable (Database, DatabaseID) async -> Void
  private let state: Mutex<OpenDatabases>

  /// - Parameters:
  ///   - cacheByteCount: the memory that the caches of all databases share.
  ///   - pause: waits for 10 ms.
  ///   - note: receives the openings and closings.
  ///   - opened: receives each database that has been opened, before its first use.
  package init(
    _ places: DatabasePlaces, limit: Int, idleTime: Duration = .zero,
    cacheByteCount: Int = 512 << 20,
    pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(10)) },
    note: @escaping @Sendable (ServerEvent) -> Void = { _ in },
    opened: @escaping @Sendable (Database, DatabaseID) async -> Void = { _, _ in }
  ) {
    self.places = places
    self.limit = limit
    self.idleTime = idleTime
    self.cacheByteCount = cacheByteCount
    self.pause = pause
    self.note = note
    self.opened = opened
    state = Mutex(OpenDatabases())
  }

  /// The number of databases that are open, or about to be.
  package var openCount: Int { state.withLock { $0.slots.count } }

  /// The memory that the caches of these may take.
  package var openCacheByteCount: Int {
    state.withLock { $0.slots.values.reduce(0) { $0 + $1.cacheByteCount } }
  }

  /// Approximate number of bytes on disk of the databases that are open.
  func openDiskByteCount() async -> Int {
    var sum = 0
    // One at a time, so that the others may be closed meanwhile.
    for id in state.withLock({ Array($0.slots.keys) }) {
      let open = state.withLock { $0.slots[id].flatMap { $0.isStandIn ? nil : $0.database } }
      sum += (try? await open?.statistics().diskByteCount) ?? 0
    }
    return sum
  }

  // MARK: Looking

  package func contains(_ id: DatabaseID) -> Bool {
    places.holds(id) || isOpen(id)
  }

  package func ids(inProject project: String) throws(DatabaseError) -> [DatabaseID] {
    let open = state.withLock { state in state.slots.keys.filter { $0.project.utf8Equal(project) } }
    return Set(try places.ids(inProject: project) + open.filter(isOpen))
      .sorted { $0.compare($1) == .less }
  }

  /// Whether a database is open that doesn't only stand in for one that doesn't exist.
  private func isOpen(_ id: DatabaseID) -> Bool {
    state.withLock { $0.slots[id].map { $0.database != nil && !$0.isStandIn } ?? false }
  }

  // MARK: Opening

  package func database(
    _ id: DatabaseID, for use: DatabaseUse
  ) async throws(DatabaseError) -> Database {
    try await find(id, for: use).database
  }

  package func create(_ id: DatabaseID) async throws(DatabaseError) -> Bool {
    guard !contains(id) else { return false }
    let (database, isOwn) = try await find(id, for: .creating)
    return isOwn && database.openReport.isNew
  }

  /// - Returns: the database, and whether this call has opened it.
  private func find(
    _ id: DatabaseID, for use: DatabaseUse
  ) async throws(DatabaseError) -> (database: Database, isOwn: Bool) {
    var isOwn = false
    var use = use
    var pausesLeft = DatabaseRegistry.pauseCount
    while true {
      switch step(id, use) {
      case .found(let database, isStandIn: true) where places.holds(id):
        // The tool has made the database meanwhile.
        withExtendedLifetime(database) { if use == .reading { use = .writing } }
      case .found(let database, _): return (database, isOwn)
      case .wait(let work, let isOpening):
        isOwn = isOpening
        if let error = await work.value { throw error }
      case .full(mayChange: true) where pausesLeft > 0 && !Task.isCancelled:
        // A call that has ended may hold its database for a moment longer.
        pausesLeft -= 1
        await pause()
      case .full:
        throw DatabaseError(
          .resourceExhausted,
          "The server has \(limit) databases in use, which is its limit, and opens no other "
            + "before one of them is idle.")
      case .refuse(let error): throw error
      }
    }
  }

  private enum Step {
    case found(Database, isStandIn: Bool)
    /// Another step follows when the work is done, unless it fails.
    case wait(DatabaseWork, isOpening: Bool = false)
    /// All databases that may be open are in use. Perhaps one of them is given back.
    case full(mayChange: Bool)
    case refuse(DatabaseError)
  }

  private func step(_ id: DatabaseID, _ use: DatabaseUse) -> Step {
    state.withLock { state in
      guard !state.isClosed else {
        return .refuse(DatabaseError(.unavailable, "The server is stopping."))
      }
      if let slot = state.slots[id] {
        if let work = slot.work { return .wait(work) }
        if let database = slot.database, !(slot.isStandIn && use != .reading) {
          state.slots[id]?.lastUse = .now
          return .found(database, isStandIn: slot.isStandIn)
        }
      } else if state.slots.count >= limit {
        if let work = closeLongestIdle(&state) ?? state.closing { return .wait(work) }
        let mayChange = places.outlastClosing || state.slots.values.contains(where: \.isStandIn)
        return .full(mayChange: mayChange)
      }
      let share = state.cacheShare(of: cacheByteCount)
      let work = Task { await self.open(id, for: use, cacheByteCount: share) }
      state.slots[id] = OpenDatabases.Slot(work: work, cacheByteCount: share)
      return .wait(work, isOpening: true)
    }
  }

  private func open(
    _ id: DatabaseID, for use: DatabaseUse, cacheByteCount: Int
  ) async -> DatabaseError? {
    do throws(DatabaseError) {
      let (database, isStandIn, indexFailure) = try await places.open(
        id, for: use, cacheByteCount: cacheByteCount)
      if !isStandIn { await opened(database, id) }
      state.withLock {
        $0.slots[id] = OpenDatabases.Slot(
          database: database, isStandIn: isStandIn, cacheByteCount: isStandIn ? 0 : cacheByteCount)
      }
      if !isStandIn { note(.opened(id, database.openReport)) }
      if let indexFailure { note(.indexesRefused(id, indexFailure)) }
      return nil
    } catch {
      state.withLock { $0.slots[id] = nil }
      return error
    }
  }

  // MARK: Closing

  /// Closes the databases that have had no use for the idle time.
  package func closeIdle() async {
    let works = state.withLock { state in
      state.idle(since: .now - idleTime) { isIdle($0) }.map { close($0, &state) }
    }
    for work in works { _ = await work.value }
  }

  /// Closes all databases, and opens no other. Calls that are under way end first.
  package func closeAll() async {
    state.withLock { $0.isClosed = true }
    while true {
      let works = state.withLock { state in
        Array(state.slots.keys).map { id in state.slots[id]?.work ?? close(id, &state) }
      }
      guard !works.isEmpty else { return }
      for work in works { _ = await work.value }
    }
  }

  /// Removes a database with all that is in it. Calls on it that are under way are refused.
  ///
  /// - Throws: `failedPrecondition` for the only database of a server; `unavailable`, with the
  ///   system's words.
  package func remove(_ id: DatabaseID) async throws(DatabaseError) {
    while true {
      let (work, isOwn) = state.withLock { state -> (DatabaseWork, Bool) in
        if let work = state.slots[id]?.work { return (work, false) }
        return (close(id, removing: true, &state), true)
      }
      let error = await work.value
      guard isOwn else { continue }
      if let error { throw error }
      return
    }
  }

  /// Whether a database whose slot has its only reference may be closed.
  private func isIdle(_ slot: OpenDatabases.Slot) -> Bool {
    slot.isStandIn || places.outlastClosing && slot.database?.hasOwnWork == false
  }

  private func closeLongestIdle(_ state: inout OpenDatabases) -> DatabaseWork? {
    state.idle(since: .now) { isIdle($0) }.first.map { close($0, &state) }
  }

  private func close(
    _ id: DatabaseID, removing removes: Bool = false, _ state: inout OpenDatabases
  ) -> DatabaseWork {
    let slot = state.slots[id]
    let database = slot?.database
    let wasOpened = slot?.isStandIn == false
    let work = Task { [places, note] () -> DatabaseError? in
      var failure: DatabaseError?
      do throws(DatabaseError) {
        try await database?.close()
        if removes { try places.remove(id) }
      } catch {
        failure = error
      }
      self.state.withLock { $0.slots[id] = nil }
      if wasOpened { note(.closed(id, failure)) }
      return failure
    }
    state.slots[id] = OpenDatabases.Slot(
      work: work, isClosing: true, cacheByteCount: slot?.cacheByteCount ?? 0)
    return work
  }
}
