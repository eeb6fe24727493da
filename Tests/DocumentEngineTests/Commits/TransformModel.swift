import HearthDocumentModel

/// A model of writes in the plainest terms: documents are entries of a dictionary, and arrays are
/// searched from end to end.
struct TransformModel {
  struct Stored: Equatable {
    var fields: MapValue
    var createTime: Timestamp
    var updateTime: Timestamp
  }

  private(set) var documents: [ResourcePath: Stored] = [:]

  /// Returns the results of one commit; `nil` if it is refused, and then nothing changes.
  mutating func commit(_ writes: [Write], at time: Timestamp) -> [WriteResult]? {
    var attempt = self
    var results: [WriteResult] = []
    for write in writes {
      guard let result = attempt.apply(write, at: time) else { return nil }
      results.append(result)
    }
    self = attempt
    return results
  }

  private mutating func apply(_ write: Write, at time: Timestamp) -> WriteResult? {
    let fields = write.transforms.map(\.field)
    for field in fields where fields.contains(where: { $0 != field && $0.hasPrefix(field) }) {
      return nil
    }
    let old = documents[write.path]
    switch write.precondition {
    case .exists(let exists)? where exists != (old != nil): return nil
    case .updateTime(let required)? where old?.updateTime != required: return nil
    default: break
    }
    guard case .update(let fields, let mask) = write.operation else {
      if write.operation == .delete { documents[write.path] = nil }
      return WriteResult(updateTime: documents[write.path]?.updateTime ?? time)
    }
    var new = mask == nil ? fields : old?.fields ?? MapValue()
    for path in mask ?? [] { new.set(fields[path], at: path) }
    let results = write.transforms.map { transform -> Value in
      let value = TransformModel.value(transform.operation, new[transform.field], time)
      new.set(value, at: transform.field)
      if case .array = value { return .null }
      return value
    }
    if old?.fields != new {
      documents[write.path] = Stored(
        fields: new, createTime: old?.createTime ?? time, updateTime: time)
    }
    return WriteResult(
      updateTime: documents[write.path]?.updateTime ?? time, transformResults: results)
  }

  private static func value(
    _ operation: FieldTransform.Operation, _ old: Value?, _ time: Timestamp
  ) -> Value {
    switch operation {
    case .serverTimestamp:
      var microseconds = time.microseconds
      while microseconds % 1000 != 0 { microseconds -= 1 }
      return .timestamp((try? Timestamp(microseconds: microseconds)) ?? .minimum)
    case .increment(let operand): return sum(old, operand)
    case .maximum(let operand): return winner(old, operand) { $0.compare($1) == .less }
    case .minimum(let operand): return winner(old, operand) { $0.compare($1) == .greater }
    case .arrayUnion(let operands):
      var elements = array(old)
      for operand in operands where !elements.contains(where: { $0.compare(operand) == .equal }) {
        elements.append(operand)
      }
      return .array(elements)
    case .arrayRemove(let operands):
      return .array(
        array(old).filter { element in
          !operands.contains { $0.compare(element) == .equal }
        })
    }
  }

  private static func sum(_ old: Value?, _ operand: Value) -> Value {
    switch (old, operand) {
    case (.integer(let left), .integer(let right)):
      return .integer(Int64(clamping: Int128(left) + Int128(right)))
    case (.integer(let left), .double(let right)): return .double(Double(left) + right)
    case (.double(let left), .integer(let right)): return .double(left + Double(right))
    case (.double(let left), .double(let right)): return .double(left + right)
    default: return operand
    }
  }

  private static func winner(
    _ old: Value?, _ operand: Value, _ loses: (Value, Value) -> Bool
  ) -> Value {
    guard let old, old.typeClass == .number else { return operand }
    if old.isNaN || operand.isNaN { return .double(.nan) }
    return loses(old, operand) ? operand : old
  }

  private static func array(_ value: Value?) -> [Value] {
    if case .array(let elements)? = value { elements } else { [] }
  }
}
