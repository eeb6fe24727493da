import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// The keys that a listened query depends on. Every document that enters its result, stays in it or
/// leaves it has or had an entry there.
///
/// If a branch joins several indexes, one of them is enough, since a match has an entry in each.
/// The ranges are those that the query scans, so that most changes that it can't see aren't even
/// compared.
enum ListenedRanges: Equatable {
  /// The ranges of entries and names.
  case ranges([KeyRange])
  /// The key under which the first document of a collection writes the collection's number. The
  /// collection has none yet.
  case foundation(of: ResourcePath)
  /// Every change, for a query over all collections.
  case everyChange

  init(of plan: Plan, in view: ReadView) throws {
    var collectionNumber: UInt64?
    switch plan.source {
    case .everyCollection:
      self = .everyChange
      return
    case .collection(let path):
      collectionNumber = try view.collectionNumber(of: path)
      if collectionNumber == nil {
        self = .foundation(of: path)
        return
      }
    case .collectionGroup: break
    }
    let encoder = ValueEncoder(own: view.databaseID)
    self = .ranges(
      plan.branches.filter { !$0.isEmpty }.flatMap { branch in
        branch.narrowestScan.map { scan in
          ScanBytes(
            scan, of: branch, source: plan.source, collectionNumber: collectionNumber,
            encoder: encoder
          ).ranges
        } ?? []
      })
  }

  /// The ranges of the keys whose writes matter.
  var keyRanges: [KeyRange] {
    switch self {
    case .ranges(let ranges): ranges
    case .foundation(let path): [.prefix(StorageKey.collection(path))]
    case .everyChange: []
    }
  }
}

extension Plan.Branch {
  /// The scan with the longest fixed prefix.
  fileprivate var narrowestScan: Plan.Scan? {
    scans.max { $0.prefix.count < $1.prefix.count }
  }
}
