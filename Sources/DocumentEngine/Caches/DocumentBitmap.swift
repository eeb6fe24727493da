/// A set of document numbers with one bit for each, in pages. Only pages with a bit exist.
///
/// Copies share their pages. A change copies its page only while another copy shares it.
package struct DocumentBitmap: Sendable {
  private static let pageBitShift: UInt64 = 15
  private static let pageWordCount = 512
  /// Larger numbers would make the table of pages too long. It takes 2^36 documents to reach them.
  private static let pageCountLimit = 1 << 21

  /// The pages; an empty array for a page without a bit.
  private var pages: [[UInt64]] = []
  private var usedPageCount = 0
  /// Number of elements in the set.
  private(set) var count = 0

  package init() {}

  /// The approximate memory that the set takes.
  var byteCount: Int {
    pages.count * MemoryLayout<[UInt64]>.stride
      + usedPageCount * (DocumentBitmap.pageWordCount * 8 + 32)
  }

  /// Whether a number can be in such a set at all.
  static func canHold(_ number: UInt64) -> Bool {
    number &>> pageBitShift < UInt64(pageCountLimit)
  }

  package func contains(_ number: UInt64) -> Bool {
    guard number &>> DocumentBitmap.pageBitShift < UInt64(pages.count) else { return false }
    let page = Int(truncatingIfNeeded: number &>> DocumentBitmap.pageBitShift)
    guard !pages[page].isEmpty else { return false }
    return pages[page][DocumentBitmap.word(of: number)] & DocumentBitmap.bit(of: number) != 0
  }

  /// Adds a number. A number that can't be held is left out.
  package mutating func insert(_ number: UInt64) {
    guard DocumentBitmap.canHold(number) else { return }
    let page = Int(truncatingIfNeeded: number &>> DocumentBitmap.pageBitShift)
    while page >= pages.count { pages.append([]) }
    if pages[page].isEmpty {
      pages[page] = Array(repeating: 0, count: DocumentBitmap.pageWordCount)
      usedPageCount += 1
    }
    let (word, bit) = (DocumentBitmap.word(of: number), DocumentBitmap.bit(of: number))
    guard pages[page][word] & bit == 0 else { return }
    pages[page][word] |= bit
    count += 1
  }

  mutating func remove(_ number: UInt64) {
    guard contains(number) else { return }
    let page = Int(truncatingIfNeeded: number &>> DocumentBitmap.pageBitShift)
    pages[page][DocumentBitmap.word(of: number)] &= ~DocumentBitmap.bit(of: number)
    count -= 1
  }

  private static func word(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: number &>> 6) & (pageWordCount &- 1)
  }

  private static func bit(of number: UInt64) -> UInt64 { 1 &<< (number & 63) }
}
