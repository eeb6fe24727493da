import Testing

/// The parts of a table. A block's trailer belongs to the block.
enum TablePart: Hashable, CaseIterable {
  case data, index
  case filters, namesOfFilters
  case handleOfFilters, handleOfIndex, padding, magic
}

/// The places of the parts of a whole table, read without the code under test.
struct TableParts {
  private static let footerByteCount = 48
  private static let magicByteCount = 8

  private let byteCount: Int
  private let starts: [(offset: Int, part: TablePart)]

  init(of table: [UInt8]) throws {
    byteCount = table.count
    let footer = table.count - Self.footerByteCount
    var position = footer
    let names = Self.readVarint(table, &position)
    _ = Self.readVarint(table, &position)
    let handleOfIndex = position
    let index = Self.readVarint(table, &position)
    _ = Self.readVarint(table, &position)
    let padding = position
    // The one entry of the block that names the filters: nothing shared, a name, a handle.
    try #require(table[names] == 0 && table[names + 1] < 0x80 && table[names + 2] < 0x80)
    position = names + 3 + Int(table[names + 1])
    let filters = Self.readVarint(table, &position)
    starts = [
      (0, .data), (filters, .filters), (names, .namesOfFilters), (index, .index),
      (footer, .handleOfFilters), (handleOfIndex, .handleOfIndex), (padding, .padding),
      (table.count - Self.magicByteCount, .magic),
    ]
    try #require(zip(starts, starts.dropFirst()).allSatisfy { $0.offset < $1.offset })
  }

  /// End of the data blocks.
  var dataEnd: Int { starts[1].offset }

  /// Returns the part of the byte at `offset`; `nil` if it belongs to none.
  func part(at offset: Int) -> TablePart? {
    (0..<byteCount).contains(offset) ? starts.last { $0.offset <= offset }?.part : nil
  }

  private static func readVarint(_ bytes: [UInt8], _ position: inout Int) -> Int {
    var (value, shift) = (0, 0)
    while true {
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { return value }
    }
  }
}
