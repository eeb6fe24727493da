/// A document as it stood at one moment.
public struct Document: Sendable, Equatable {
  /// Where it stands.
  public let path: ResourcePath
  /// What it holds.
  public let fields: MapValue
  /// The time of the commit that it came into being with.
  public let createTime: Timestamp
  /// The time of the last commit that changed it.
  public let updateTime: Timestamp

  /// A document as it was read, or is to be compared with one.
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

  /// The value of a field; `__name__` is no field of the document.
  public subscript(path: FieldPath) -> Value? { fields[path] }
}
