/// A place in a file of rules.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// The line, from 1; 0 for the file as a whole.
  public let line: Int
  /// The column in characters, from 1; 0 for the file as a whole.
  public let column: Int
  /// The number of UTF-16 units before the place.
  public let offset: Int

  /// The file as a whole.
  public static let file = SourcePosition(line: 0, column: 0, offset: 0)

  /// Creates a place.
  public init(line: Int, column: Int, offset: Int) {
    (self.line, self.column, self.offset) = (line, column, offset)
  }

  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The places of the first and the last character of a part of a file.
public struct SourceRange: Sendable, Hashable {
  /// The place of the first character.
  public let start: SourcePosition
  /// The number of UTF-16 units before the last character.
  public let endOffset: Int

  /// Creates a range.
  public init(_ start: SourcePosition, endOffset: Int) {
    (self.start, self.endOffset) = (start, endOffset)
  }

  /// The range from the start of this one to the end of `other`.
  func through(_ other: SourceRange) -> SourceRange {
    SourceRange(start, endOffset: max(endOffset, other.endOffset))
  }
}
