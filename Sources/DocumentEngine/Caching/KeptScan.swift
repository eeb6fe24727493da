import DocumentModel
import OrderedStore

/// What a cache has of one scan. Used under the cache's lock.
final class KeptScan {
  let key: ScanKey
  /// What is kept, once all entries were read.
  private(set) var content: ScanContent?
  /// The commit that it is right for, and all later ones up to `until`.
  private var since: UInt64
  /// The commit on its way to the store that changes it.
  var until = UInt64.max
  /// Whether somebody has asked for it lately.
  var isRecent = true
  /// The commit that the build began at.
  let begin: UInt64
  /// The nearest scan in front of it whose key its own begins with.
  var enclosing: KeptScan?

  /// What reads the scan, while nobody has it in hand.
  private var build: ScanBuild?
  private var taken: ObjectIdentifier?
  /// What commits have changed since the build began.
  private var changes: [EntryChange] = []
  private var changeByteCount = 0

  init(_ key: ScanKey, _ build: ScanBuild, at commitNumber: UInt64) {
    self.key = key
    self.build = build
    since = commitNumber
    begin = commitNumber
  }

  var byteCount: Int {
    (content?.byteCount ?? 0) + (build?.byteCount ?? 0) + changeByteCount + 2 * key.bytes.count
      + 256
  }

  /// Whether it has the entry with this key.
  func has(_ entry: RawSpan) -> Bool {
    let prefix = key.bytes
    guard entry.byteCount >= prefix.count else { return false }
    let start = entry.extracting(first: prefix.count)
    return start.compare(prefix.span.bytes) == .equal
  }

  func isRight(at commitNumber: UInt64) -> Bool {
    content != nil && since <= commitNumber && commitNumber < until
  }

  /// Takes over what a commit has changed.
  func apply(_ change: EntryChange, at commitNumber: UInt64) {
    since = commitNumber
    until = .max
    if content == nil {
      changes.append(change)
      changeByteCount += 64 + change.suffix.count
    } else {
      content?.apply(change)
    }
  }

  /// Whether there are more entries than are kept.
  var isTooLarge: Bool {
    if case .entries(let run) = content { run.count > 2 * ScanEntries.countLimit } else { false }
  }

  // MARK: Making

  /// The build, for one turn, if nobody has it.
  func takeBuild() -> ScanBuild? {
    guard let build else { return nil }
    taken = ObjectIdentifier(build)
    self.build = nil
    return build
  }

  /// Whether somebody took `build` from here.
  func isTaken(_ build: ScanBuild) -> Bool { taken == ObjectIdentifier(build) }

  func giveBack(_ build: ScanBuild) {
    taken = nil
    self.build = build
  }

  /// Keeps what was read, and what commits made of it meanwhile.
  func finish(_ content: ScanContent) {
    taken = nil
    self.content = content
    for change in changes { self.content?.apply(change) }
    changes = []
    changeByteCount = 0
  }
}
