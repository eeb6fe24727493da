package import HearthDocumentModel

extension Value {
  /// The value in a form that a document may have: arrays hold no vectors, and vectors no NaN
  /// (§2.1).
  package var storable: Value {
    switch self {
    case .vector(let elements): .vector(elements.map { $0.isNaN ? 0 : $0 })
    case .array(let elements):
      .array(elements.map { $0.typeClass == .vector ? .null : $0.storable })
    case .map(let map): .map(map.storable)
    default: self
    }
  }
}

extension MapValue {
  /// The fields with values that a document may have.
  package var storable: MapValue { MapValue(map { ($0.name, $0.value.storable) }) }
}
