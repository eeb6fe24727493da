/// A document as it stood at one moment.
public struct Document: Sendable, Equatable {
  public let path: ResourcePath
  public let fields: MapValue
  public let createTime: Timestamp
  public let updateTime: Timestamp

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
