package import HearthDocumentModel

// One column of an index entry's key: a value whose bytes sort like it (§2.2, §2.3).
//
//   label  value                  followed by
//   10     null
//   18 19  false, true
//   20     NaN
//   21     negative number        magnitude, inverted (`OrderedNumber`)
//   22     zero, positive number  magnitude
//   28     timestamp              microseconds, 8 bytes big-endian, sign bit flipped
//   30     string                 escaped UTF-8, end (`OrderedBytes`)
//   38     bytes                  escaped bytes, end
//   40 42  foreign reference      project, database, segments: each escaped with its end; end
//   41     own reference          segments, each escaped with its end; end
//   48     geo point              latitude, longitude: each a number with its label
//   50     array                  elements; end
//   58     vector                 dimension, 4 bytes big-endian; elements as labelled numbers
//   60     map                    for each field its name, as a labelled string, and its value;
//                                 end
//   00     end, below every label
//   FF     cut, above every label
//
// References to another database have label 40 if that database sorts below the own one, and 42 if
// it sorts above.
//
// A descending column is the ascending one with every byte inverted. No column is a prefix of
// another in one direction, so that columns can simply follow each other.
//
// An index sees the first 1,500 bytes of a value (§3.6). `Value.compareAsIndexed` decides how bytes
// count and where a longer value is cut: a scalar counts 8 bytes (null and booleans 1, geo points
// 16); strings, bytes, path segments and field names count their length; all else counts nothing.
// If the budget is spent and more follows, the column ends with `cut`, even inside a nested value.

/// The direction in which a column is stored.
package enum ColumnOrder: Sendable, Hashable {
  case ascending, descending

  /// The mask that every byte of a column is XORed with.
  var mask: UInt8 {
    switch self {
    case .ascending: 0
    case .descending: 0xFF
    }
  }
}

/// The order-preserving encoding of values: its marks, its bounds and its decoding.
///
/// ``ValueEncoder`` writes it.
package enum OrderedValue {
  static let end: UInt8 = 0x00
  static let cut: UInt8 = 0xFF

  enum Label: UInt8 {
    case null = 0x10
    case `false` = 0x18
    case `true` = 0x19
    case notANumber = 0x20
    case negativeNumber = 0x21
    case number = 0x22
    case timestamp = 0x28
    case string = 0x30
    case bytes = 0x38
    case referenceBelow = 0x40
    case reference = 0x41
    case referenceAbove = 0x42
    case geoPoint = 0x48
    case array = 0x50
    case vector = 0x58
    case map = 0x60
  }

  /// The deepest nesting of arrays and maps in bytes that are read. Writes allow 20 (§1.2).
  static let depthLimit = 64

  /// Returns bytes that enclose every column of a type class: `lower` is at or below all of them,
  /// `upper` above.
  ///
  /// NaN lies outside of the numbers' bounds: no range of numbers contains it (§2.5).
  package static func bounds(
    of typeClass: Value.TypeClass, _ order: ColumnOrder
  ) -> (lower: [UInt8], upper: [UInt8]) {
    let labels = labels(of: typeClass)
    let (first, last) = (labels.first.rawValue, labels.last.rawValue)
    return switch order {
    case .ascending: ([first], [last + 1])
    case .descending: ([~last], [~first + 1])
    }
  }

  private static func labels(of typeClass: Value.TypeClass) -> (first: Label, last: Label) {
    switch typeClass {
    case .null: (.null, .null)
    case .boolean: (.false, .true)
    case .number: (.negativeNumber, .number)
    case .timestamp: (.timestamp, .timestamp)
    case .string: (.string, .string)
    case .bytes: (.bytes, .bytes)
    case .reference: (.referenceBelow, .referenceAbove)
    case .geoPoint: (.geoPoint, .geoPoint)
    case .array: (.array, .array)
    case .vector: (.vector, .vector)
    case .map: (.map, .map)
    }
  }
}
