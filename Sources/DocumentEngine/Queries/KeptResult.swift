import HearthDocumentModel
import HearthQueryPlanning

/// The numbers of the documents that a query finds, with its plan.
///
/// They were found in kept scans alone, and are right as long as no entry of these scans changes.
/// So they are right for every view from the one in which they were found on, until a commit ends a
/// scan's stamp. The documents themselves are not kept here: they may change meanwhile.
final class KeptResult: CachedResult {
  /// The largest number of documents of a result that is kept.
  static let countLimit = 256

  let query: PlannedQuery
  let documentNumbers: [UInt64]
  /// The number of documents that the offset passed over.
  let skippedCount: Int
  /// The work of finding them.
  let work: [(place: ScanPlace, statistics: ScanStatistics)]
  private let stamps: [ScanStamp]
  /// The number of the last commit of the view in which they were found.
  private let since: UInt64
  /// The indexes with which the query was planned.
  private let catalog: Catalog

  init(
    _ numbers: [UInt64], of query: PlannedQuery, skipping skippedCount: Int,
    in entries: any EntryCursor, _ stamps: [ScanStamp], _ view: ReadView
  ) {
    self.query = query
    documentNumbers = numbers
    self.skippedCount = skippedCount
    self.stamps = stamps
    since = view.commitNumber
    catalog = view.catalog
    var work: [(place: ScanPlace, statistics: ScanStatistics)] = []
    entries.forEachWork { work.append(($0, $1)) }
    self.work = work
  }

  var isRight: Bool { stamps.allSatisfy(\.isRight) }

  var byteCount: Int {
    2_560 + documentNumbers.count * MemoryLayout<UInt64>.stride + query.valueByteCount
  }

  /// Whether it is the result of `request` in a view. The cache has checked that it is right.
  func answers(_ request: StructuredQuery, in view: ReadView) -> Bool {
    since <= view.commitNumber && catalog === view.catalog && query.isFor(request)
  }
}
