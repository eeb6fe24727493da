import HearthOrderedStore

/// A position in a store that is only read: the newest versions of several runs, merged.
///
/// Between two moves all runs stand past the current key, in the direction of the last move. The
/// current entry is a copy, so it remains when the store is closed.
final class ReadOnlyCursor: StoreCursor {
  private enum Direction {
    case forwards
    case backwards
  }

  private let store: ReadOnlyStore
  /// Files of the store; `nil` once a move found that the store was closed.
  private var files: HeldFiles?
  private var runs: [any VersionRun]
  private var direction = Direction.forwards
  /// Key of the last seek, for error messages.
  private var origin: [UInt8] = []
  private var currentKey: [UInt8] = []
  private var currentValue: [UInt8] = []
  private(set) var isValid = false
  private(set) var skippedCount = 0

  init(store: ReadOnlyStore, files: HeldFiles) {
    self.store = store
    self.files = files
    runs = files.makeRuns()
  }

  var key: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      return unsafe _overrideLifetime(currentKey.span.bytes, borrowing: self)
    }
  }

  var value: RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(isValid, "the cursor stands on no entry")
      return unsafe _overrideLifetime(currentValue.span.bytes, borrowing: self)
    }
  }

  func seek(to key: [UInt8]) throws(StoreError) {
    try checkOpen()
    origin = key
    try moveForwards(to: key)
    try checkDamage()
  }

  func seekReadable(to key: [UInt8]) throws(StoreError) -> Bool {
    try checkOpen()
    origin = key
    try moveForwards(to: key)
    return runs.contains { $0.damage != nil }
  }

  func seek(before key: [UInt8]) throws(StoreError) {
    try checkOpen()
    origin = key
    try moveBackwards(before: key)
    try checkDamage()
  }

  func next() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkOpen()
    if direction == .forwards {
      try findNext()
    } else {
      // The first key that can follow this one.
      try moveForwards(to: currentKey + [0])
    }
    if !isValid { try checkDamage() }
  }

  func previous() throws(StoreError) {
    precondition(isValid, "the cursor stands on no entry")
    try checkOpen()
    if direction == .backwards {
      try findPrevious()
    } else {
      try moveBackwards(before: currentKey)
    }
    try checkDamage()
  }

  func checkReads() throws(StoreError) {
    try checkOpen()
    try checkDamage()
  }

  // MARK: Merging

  private func moveForwards(to key: [UInt8]) throws(StoreError) {
    direction = .forwards
    isValid = false
    let target = InternalKey(beginning: key)
    for run in runs { try run.seek(to: target) }
    try findNext()
  }

  private func moveBackwards(before key: [UInt8]) throws(StoreError) {
    direction = .backwards
    isValid = false
    let target = InternalKey(beginning: key)
    for run in runs { try run.seek(before: target) }
    try findPrevious()
  }

  /// Moves to the next key that has a value. All runs must stand past the previous key.
  private func findNext() throws(StoreError) {
    isValid = false
    // A throw leaves the runs at different places.
    var isFound = false
    while !isFound {
      var first: (any VersionRun)?
      for run in runs where run.isValid {
        if first.map({ run.key.precedes($0.key) }) ?? true { first = run }
      }
      guard let first else { return }
      // The newest of a key's versions is the first.
      isFound = take(first)
      let taken = first.key
      for run in runs {
        while run.isValid, run.key.hasUserKey(of: taken) { try run.next() }
      }
      if !isFound { skippedCount += 1 }
    }
    isValid = true
  }

  /// Moves to the previous key that has a value. All runs must stand before the last key.
  private func findPrevious() throws(StoreError) {
    isValid = false
    var isFound = false
    while !isFound {
      var last: (any VersionRun)?
      for run in runs where run.isValid {
        if last.map({ $0.key.precedes(run.key) }) ?? true { last = run }
      }
      guard var newest = last?.key else { return }
      let oldest = newest
      for run in runs {
        while run.isValid, run.key.hasUserKey(of: oldest) {
          // The versions of the key come one by one, the newest last.
          if !newest.precedes(run.key) {
            newest = run.key
            isFound = take(run)
          }
          try run.previous()
        }
      }
      if !isFound { skippedCount += 1 }
    }
    isValid = true
  }

  /// Makes a run's version the current entry, if it is a value.
  ///
  /// - Returns: whether it is a value.
  private func take(_ run: any VersionRun) -> Bool {
    guard run.holdsValue else { return false }
    currentKey.removeAll(keepingCapacity: true)
    currentKey.append(contentsOf: run.key.bytes.dropLast(InternalKey.trailerByteCount))
    currentValue.removeAll(keepingCapacity: true)
    currentValue.append(contentsOf: run.value)
    return true
  }

  // MARK: Checks

  private func checkDamage() throws(StoreError) {
    for run in runs {
      guard let damage = run.damage else { continue }
      isValid = false
      throw store.error("read on from \(store.describeKey(origin))", damage)
    }
  }

  /// Throws if the store was closed, and releases the files then. No span is in use during a move.
  private func checkOpen() throws(StoreError) {
    guard store.isClosed else { return }
    isValid = false
    files = nil
    runs = []
    throw store.closedError
  }
}
