/// A document as it stood at one moment.
public struct Document: Sendable, Equatable {
  /// The path of the document.
  public let path: ResourcePath
  /// The fields of the document.
  public let fields: MapValue
  /// The time of the commit that created it.
  public let createTime: Timestamp
  /// The time of the last commit that changed it.
  public let updateTime: Timestamp

  /// Creates a document with all of its parts, such as one to compare a read document with.
  public init(
    path: ResourcePath, fields: MapValue, createTime: Timestamp, updateTime: Timestamp
  ) {
    self.path = path
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// The document's storage size (§1.3).
  public var storageByteCount: Int { path.storageByteCount + fields.storageByteCount + 32 }

  /// Accesses the value of a field. `__name__` is no field of the document.
  public subscript(path: FieldPath) -> Value? { fields[path] }
}
