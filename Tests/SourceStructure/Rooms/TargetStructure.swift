/// The rooms of a target and the references between them.
package struct TargetStructure: Sendable {
  /// A top-level folder of the target.
  package struct Room: Sendable {
    package var name: String
    package var fileCount = 0
    package var codeLineCount = 0
  }

  /// The references from the files of one room to those of another.
  package struct Arrow: Sendable {
    package var from: String
    package var to: String
    package var typeCount = 0
    package var memberCount = 0
  }

  /// Two rooms, in alphabetical order.
  package struct Pair: Hashable, Sendable, Comparable {
    package var first: String
    package var second: String

    init(_ one: String, _ other: String) {
      first = min(one, other)
      second = max(one, other)
    }

    package static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.second) < (right.first, right.second)
    }
  }

  package let name: String
  /// The rooms, sorted by name.
  package let rooms: [Room]
  /// The arrows, sorted by name.
  package let arrows: [Arrow]
  /// The paths of the files of the largest circle.
  package let largestCircle: [String]

  /// Counts in the files of `target`.
  ///
  /// - Complexity: the words of all files of `tree`.
  package init(of target: String, in tree: SourceTree) {
    name = target
    let references = FileReferences(of: target, in: tree)
    let units = references.units
    rooms = Dictionary(grouping: units, by: \.room).map { name, units in
      Room(
        name: name, fileCount: units.count,
        codeLineCount: units.reduce(0) { $0 + $1.codeLineCount })
    }.sorted { $0.name < $1.name }
    largestCircle = references.largestCircle
    var arrows: [[String]: Arrow] = [:]
    for (index, counts) in references.counts.enumerated() {
      for (declaring, count) in counts where units[index].room != units[declaring].room {
        let (from, to) = (units[index].room, units[declaring].room)
        arrows[[from, to], default: Arrow(from: from, to: to)].typeCount += count.types
        arrows[[from, to], default: Arrow(from: from, to: to)].memberCount += count.members
      }
    }
    self.arrows = arrows.values.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
  }

  /// Number of files in all rooms.
  package var fileCount: Int { rooms.reduce(0) { $0 + $1.fileCount } }
  /// Number of lines of code in all rooms.
  package var codeLineCount: Int { rooms.reduce(0) { $0 + $1.codeLineCount } }

  /// Returns the pairs of rooms with an arrow between them, by type names alone or by members also.
  package func tiedPairs(byTypesAlone: Bool) -> [Pair] {
    Set(arrows(byTypesAlone).map { Pair($0.from, $0.to) }).sorted()
  }

  /// Returns the pairs of rooms with arrows both ways.
  package func bothWayPairs(byTypesAlone: Bool) -> [Pair] {
    let pairs = arrows(byTypesAlone).map { Pair($0.from, $0.to) }
    return Dictionary(grouping: pairs) { $0 }.filter { $1.count == 2 }.keys.sorted()
  }

  private func arrows(_ byTypesAlone: Bool) -> [Arrow] {
    arrows.filter { !byTypesAlone || $0.typeCount > 0 }
  }
}
