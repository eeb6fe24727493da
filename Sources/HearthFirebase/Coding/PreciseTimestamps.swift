import Hearth
import Synchronization

/// The timestamps of a dictionary that have digits below a microsecond, by their places.
///
/// A database stores microseconds (§2.1). But encoding a type as a dictionary, or decoding it from
/// one, needs no database, so these digits bypass Hearth's coders here.
final class PreciseTimestamps: Sendable {
  /// Names and indexes on the path to a timestamp.
  typealias Place = [String]

  static let userInfoKey = CodingUserInfoKey(rawValue: "HearthFirebase.PreciseTimestamps")

  private let timestamps = Mutex<[Place: Timestamp]>([:])

  init() {}

  /// Records the timestamps of a dictionary.
  convenience init(in data: Any) {
    self.init()
    collect(from: data, at: [])
  }

  private func collect(from any: Any, at place: Place) {
    switch any {
    case let timestamp as Timestamp: note(timestamp, at: place)
    case let dictionary as [String: Any]:
      for (name, value) in dictionary { collect(from: value, at: place + [name]) }
    case let array as [Any]:
      for (index, value) in array.enumerated() { collect(from: value, at: place + ["\(index)"]) }
    default: break
    }
  }

  /// Records a timestamp if a database would cut some of its digits off, and removes an earlier one
  /// at the place.
  func note(_ timestamp: Timestamp, at place: Place) {
    timestamps.withLock { $0[place] = timestamp.nanoseconds % 1000 == 0 ? nil : timestamp }
  }

  /// The timestamp at a place; `nil` if all of its digits are stored.
  subscript(path: [any CodingKey]) -> Timestamp? {
    timestamps.withLock { $0[path.map(\.stringValue)] }
  }

  /// Returns a dictionary with the timestamps restored in their places.
  func restored(in dictionary: [String: Any]) -> [String: Any] {
    let timestamps = timestamps.withLock { $0 }
    return timestamps.reduce(dictionary) { dictionary, entry in
      replace(entry.key[...], in: dictionary, by: entry.value) as? [String: Any] ?? dictionary
    }
  }

  private func replace(_ place: ArraySlice<String>, in any: Any, by timestamp: Timestamp) -> Any {
    guard let step = place.first else {
      // Another value may have been encoded in its place.
      let stored = (try? timestamp.stored()).map { Timestamp($0) }
      return any as? Timestamp == stored ? timestamp : any
    }
    let rest = place.dropFirst()
    if var dictionary = any as? [String: Any], let value = dictionary[step] {
      dictionary[step] = replace(rest, in: value, by: timestamp)
      return dictionary
    }
    if var array = any as? [Any], let index = Int(step), array.indices.contains(index) {
      array[index] = replace(rest, in: array[index], by: timestamp)
      return array
    }
    return any
  }
}

extension [CodingUserInfoKey: Any] {
  var preciseTimestamps: PreciseTimestamps? {
    PreciseTimestamps.userInfoKey.flatMap { self[$0] as? PreciseTimestamps }
  }
}
