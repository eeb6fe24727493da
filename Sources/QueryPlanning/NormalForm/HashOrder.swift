import HearthDocumentModel

/// The order in which production's error lists the fields of a set (§6.1): the order of a hash
/// table of 16 or more places, over a hash of the name's UTF-16 units.
///
/// It was derived from recorded texts and reproduces all of them. Only the text depends on it.
enum HashOrder {
  static func sorted(_ fields: [FieldPath]) -> [FieldPath] {
    var seen: Set<FieldPath> = []
    let distinct = fields.filter { seen.insert($0).inserted }
    var placeCount: UInt32 = 16
    while distinct.count * 4 > Int(placeCount) * 3 { placeCount *= 2 }
    // Fields of one place stay in their order of arrival.
    let places = distinct.enumerated().map { (hash($0.element) & (placeCount - 1), $0.offset) }
    return places.sorted { $0 < $1 }.map { distinct[$0.1] }
  }

  private static func hash(_ field: FieldPath) -> UInt32 {
    let name = field.description.utf16.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
    let hash = name &* 31 &+ 7
    return hash ^ (hash >> 16)
  }
}
