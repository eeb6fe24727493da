public import HearthDocumentModel
import HearthStorageFormat

/// The fields that are read from each result of a query, in the order of a row's columns.
///
/// ```swift
/// let fields = try RowFields("title", "priority", "address.city")
/// ```
public struct RowFields: Sendable, Hashable {
  /// The fields, one for each column.
  public let paths: [FieldPath]

  /// Creates the columns of these fields.
  public init(_ paths: [FieldPath]) {
    self.paths = paths
  }

  /// Creates the columns of these fields, each as a path such as `population` or `address.city`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public init(_ fields: String...) throws(DatabaseError) {
    var paths: [FieldPath] = []
    for field in fields { paths.append(try FieldPath(field)) }
    self.init(paths)
  }

  /// Creates the columns of properties, whose fields the type lists.
  ///
  /// ```swift
  /// let fields = try RowFields(of: Task.self, \.title, \.createdTime)
  /// ```
  ///
  /// - Throws: `invalidArgument` for a property that the type doesn't list.
  public init<Root: FieldKeyed>(
    of type: Root.Type, _ properties: PartialKeyPath<Root>...
  ) throws(DatabaseError) {
    var paths: [FieldPath] = []
    for property in properties { paths.append(try Root.field(property)) }
    self.init(paths)
  }

  /// Number of columns.
  public var count: Int { paths.count }
}
