import HearthDocumentModel
import HearthOrderedStore

/// The cached content of one scan. Used under the cache's lock.
final class KeptScan {
  let key: ScanKey
  /// The content; `nil` until all entries were read.
  private(set) var content: ScanContent?
  /// The first commit for which the content is right. It stays right up to `until`.
  private var since: UInt64
  /// The number of the commit on its way to the store that changes the content.
  private var until = UInt64.max
  /// The sign of the content as it is now, for the results that are made of it.
  private(set) var stamp = ScanStamp()
  /// Whether a reader has asked for it recently.
  var isRecent = true
  /// The commit at which the build began.
  let begin: UInt64
  /// The nearest scan in key order before this one whose key is a prefix of its own.
  var enclosing: KeptScan?

  /// The build that reads the scan; `nil` while a reader has taken it.
  private var build: ScanBuild?
  private var taken: ObjectIdentifier?
  /// The changes that commits have made since the build began.
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

  /// Whether the entry with this key belongs to the scan.
  func has(_ entry: RawSpan) -> Bool {
    let prefix = key.bytes
    guard entry.byteCount >= prefix.count else { return false }
    let start = entry.extracting(first: prefix.count)
    return start.compare(prefix.span.bytes) == .equal
  }

  func isRight(at commitNumber: UInt64) -> Bool {
    content != nil && since <= commitNumber && commitNumber < until
  }

  /// Notes that the commit with this number is about to change the content.
  func end(at commitNumber: UInt64) {
    until = commitNumber
    stamp.end()
  }

  /// Applies a change that a commit has made.
  func apply(_ change: EntryChange, at commitNumber: UInt64) {
    if !stamp.isRight { stamp = ScanStamp() }
    since = commitNumber
    until = .max
    if content == nil {
      changes.append(change)
      changeByteCount += 64 + change.suffix.count
    } else {
      content?.apply(change)
    }
  }

  /// Whether the content has more entries than may be kept.
  var isTooLarge: Bool {
    if case .entries(let run) = content { run.count > 2 * ScanEntries.countLimit } else { false }
  }

  // MARK: Making

  /// Takes the build for one turn; `nil` if another reader has it.
  func takeBuild() -> ScanBuild? {
    guard let build else { return nil }
    taken = ObjectIdentifier(build)
    self.build = nil
    return build
  }

  /// Whether `build` was taken from this scan.
  func isTaken(_ build: ScanBuild) -> Bool { taken == ObjectIdentifier(build) }

  func giveBack(_ build: ScanBuild) {
    taken = nil
    self.build = build
  }

  /// Keeps the entries that were read, with the changes that commits made meanwhile.
  func finish(_ content: ScanContent) {
    taken = nil
    self.content = content
    for change in changes { self.content?.apply(change) }
    changes = []
    changeByteCount = 0
  }
}
