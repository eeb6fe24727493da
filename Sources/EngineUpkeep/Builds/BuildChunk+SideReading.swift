import HearthDocumentEngine
import HearthOrderedStore
import HearthStorageFormat

/// Reads of a chunk with the help of another thread.
extension BuildChunk {
  /// Reads further documents of two ranges that follow each other, the second one on another
  /// thread. They make the entries that one thread would; the chunk may end elsewhere.
  ///
  /// - Parameters:
  ///   - limit: the number of document numbers in each range. Not every number has a document.
  ///   - side: the maker of entries for the other thread.
  ///   - start: starts work on another thread, some time or never.
  /// - Returns: the number of documents looked at; `nil` if too few are left for two threads.
  mutating func readBoth(
    _ limit: Int, in view: ReadView, _ entries: inout BuildEntries, _ side: inout BuildEntries,
    _ extent: Extent, start: @Sendable (@escaping @Sendable () -> Void) -> Void
  ) throws -> Int? {
    let count = UInt64(limit)
    guard !isRead, let laneExtent = extent.after(self, reading: limit),
      position < view.nextDocumentNumber, view.nextDocumentNumber - position > 2 * count
    else { return nil }
    let middle = position + count
    let lane = SideWork { [side, tallies] in
      var lane = Lane(
        chunk: BuildChunk(from: middle, targetCount: tallies.count), entries: side)
      lane.count = try lane.chunk.readNumbers(
        middle..<middle + count, in: view, &lane.entries, laneExtent)
      return lane
    }
    start { lane.run() }
    let ownCount: Int
    do {
      ownCount = try readNumbers(position..<middle, in: view, &entries, extent)
    } catch {
      lane.drop()
      throw error
    }
    guard !isRead else {
      // The next chunk begins before the documents of the other thread.
      lane.drop()
      return ownCount
    }
    let read = try lane.output()
    append(read.chunk)
    side = read.entries
    return ownCount + read.count
  }

  private struct Lane: Sendable {
    var chunk: BuildChunk
    var entries: BuildEntries
    var count = 0
  }
}

extension BuildChunk.Extent {
  /// Returns what is left after `chunk` and `count` further documents; `nil` for nothing.
  fileprivate func after(_ chunk: BuildChunk, reading count: Int) -> BuildChunk.Extent? {
    let rest = BuildChunk.Extent(
      documentCount: documentCount - chunk.documentCount - count,
      byteCount: byteCount - chunk.puts.byteCount - chunk.deletes.byteCount)
    return rest.documentCount > 0 && rest.byteCount > 0 ? rest : nil
  }
}
