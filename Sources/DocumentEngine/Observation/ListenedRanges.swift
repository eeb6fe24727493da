import DocumentModel
import QueryPlanning
import StorageFormat

/// Which keys a listened query depends on: whatever comes into its result, stays in it or leaves it
/// has or had an entry there.
///
/// Of the indexes that a branch joins, one is enough: what matches has an entry in each. The ranges
/// are those that the query scans, so that a change which it can't see is mostly not even compared.
enum ListenedRanges: Equatable {
  /// Keys of entries and names.
  case ranges([KeyRange])
  /// There is no such collection yet: the key of its number, which the first document brings.
  case foundation(of: ResourcePath)
  /// Documents of collections of all ids.
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

  /// The ranges of keys that are written.
  var keyRanges: [KeyRange] {
    switch self {
    case .ranges(let ranges): ranges
    case .foundation(let path): [.prefix(StorageKey.collection(path))]
    case .everyChange: []
    }
  }
}

extension Plan.Branch {
  /// The scan that fixes most columns.
  fileprivate var narrowestScan: Plan.Scan? {
    scans.max { $0.prefix.count < $1.prefix.count }
  }
}
