public import HearthDocumentModel

/// The fields of a write, each with its new value or change. It is mostly written as a dictionary
/// literal.
///
/// Data that is built up gradually is changed by name:
///
/// ```swift
/// var changes: FieldData = ["editedTime": .serverTimestamp]
/// if let title { changes["title"] = .string(title) }
/// try task.updateData(changes)
/// ```
///
/// In an update, a name is a path, such as `address.city`; everywhere else it is taken literally.
public struct FieldData: Sendable, ExpressibleByDictionaryLiteral {
  /// A name with its new value or change.
  public typealias Field = (name: String, value: FieldValue)

  /// Fields in the order in which they were given. A write refuses a name that occurs twice.
  public private(set) var fields: [Field]

  /// Creates data without fields.
  public init() { fields = [] }

  /// Creates data from names and their values or changes.
  public init(_ fields: some Sequence<(String, FieldValue)>) {
    self.fields = fields.map { (name: $0.0, value: $0.1) }
  }

  /// Creates data from plain values.
  public init(_ values: MapValue) {
    fields = values.map { (name: $0.name, value: .value($0.value)) }
  }

  public init(dictionaryLiteral elements: (String, FieldValue)...) { self.init(elements) }

  /// Whether there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// The value or change of the field with a name; `nil` if the write leaves the field alone.
  public subscript(name: String) -> FieldValue? {
    get { fields.first { $0.name.utf8Equal(name) }?.value }
    set {
      let index = fields.firstIndex { $0.name.utf8Equal(name) }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append((name, value))
      case (nil, nil): break
      }
    }
  }
}

extension FieldData: Equatable {
  public static func == (left: FieldData, right: FieldData) -> Bool {
    left.fields.count == right.fields.count
      && zip(left.fields, right.fields).allSatisfy {
        $0.name.utf8Equal($1.name) && $0.value == $1.value
      }
  }
}
