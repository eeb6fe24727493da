import HearthDocumentModel

/// The path that `match` blocks are compared with, as far as it is known.
///
/// It begins with `databases`, the database and `documents`. Of the documents of a query only a
/// part of the path is known: the id is open, and the parents of a collection group are a gap.
struct MatchSubject {
  let database: String
  /// The known beginning, below the database.
  let path: ResourcePath
  /// Whether any number of unknown segments follows the beginning.
  let hasGap: Bool
  /// The segments after that; `nil` for an unknown one.
  let tail: [String?]

  init(_ path: ResourcePath, in database: String, hasGap: Bool = false, tail: [String?] = []) {
    (self.path, self.database, self.hasGap, self.tail) = (path, database, hasGap, tail)
  }

  /// The number of segments without the gap.
  private var count: Int { 3 + path.segments.count + tail.count }

  private func segment(_ index: Int) -> String? {
    switch index {
    case 0: return "databases"
    case 1: return database
    case 2: return "documents"
    default:
      let place = index - 3
      let ids = path.segments
      return place < ids.count ? ids[place] : tail[place - ids.count]
    }
  }

  /// Returns the values of the block's wildcards, `nil` for an open one, if its whole path fits
  /// every path that this one stands for.
  func wildcards(of block: Block, version: Int) -> [RulesValue?]? {
    let length = block.path.count
    guard let glob = block.globPlace else {
      guard !hasGap, length == count, fits(block, 0..<length, from: 0) else { return nil }
      return block.path.indices.compactMap { index in
        if case .wildcard = block.path[index] { wildcard(index) } else { nil }
      }
    }
    let after = length - glob - 1
    let globCount = count - glob - after
    guard globCount >= (version == 1 ? 1 : 0) else { return nil }
    if hasGap {
      guard glob <= count - tail.count, after <= tail.count else { return nil }
    }
    let shift = count - length
    guard fits(block, 0..<glob, from: 0), fits(block, (glob + 1)..<length, from: shift) else {
      return nil
    }
    return block.path.indices.compactMap { index in
      switch block.path[index] {
      case .text: nil
      case .wildcard: wildcard(index < glob ? index : index + shift)
      case .glob: hasGap ? .some(nil) : .some(path(glob..<(glob + globCount)))
      }
    }
  }

  private func fits(_ block: Block, _ range: Range<Int>, from shift: Int) -> Bool {
    for index in range {
      guard case .text(let text) = block.path[index] else { continue }
      guard let segment = segment(index + shift), segment.utf8Equal(text) else { return false }
    }
    return true
  }

  private func wildcard(_ index: Int) -> RulesValue?? {
    .some(segment(index).map { .string($0) })
  }

  private func path(_ range: Range<Int>) -> RulesValue? {
    var segments: [RulesPath.Segment] = []
    for index in range {
      guard let segment = segment(index) else { return nil }
      segments.append(.text(segment))
    }
    return .path(RulesPath(segments))
  }
}
