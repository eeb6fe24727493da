package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
package import HearthStorageFormat

extension KeptCounts {
  /// Returns the key of the count that includes a document; `nil` if the document lacks one of the
  /// fields.
  package func key(of document: StoredDocument, _ encoder: ValueEncoder) -> [UInt8]? {
    var key = prefix(collection: document.collectionNumber)
    for field in definition.fields {
      guard let value = document.fields[field] else { return nil }
      encoder.append(value, .ascending, to: &key)
    }
    return key
  }

  /// Returns the key of the count of documents with the given values, in the order of the fields;
  /// `nil` if the key holds only a part of a value, and so counts documents with other values too.
  func key(
    collection: UInt64, values: some Sequence<Value>, _ encoder: ValueEncoder
  ) -> [UInt8]? {
    var key = prefix(collection: collection)
    for value in values {
      guard !encoder.append(value, .ascending, to: &key) else { return nil }
    }
    return key
  }

  private func prefix(collection: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(48)
    StorageKey.appendKeptCountPrefix(
      id: id, collection: definition.scope == .collection ? collection : nil, to: &key)
    return key
  }
}

/// The documents that kept counts include already: all, or those that the first counting has
/// passed.
package struct CountedExtent {
  /// The keys, in the group's key index, at which the documents begin that the first counting has
  /// not passed, by the id of the counts.
  private var checkpoints: [UInt64: [UInt8]] = [:]

  package init(_ view: ReadView) throws {
    for counts in view.catalog.tunings.counts where counts.state == .creating {
      let key = StorageKey.checkpoint(countsID: counts.id)
      view.recorder?.record { $0.insert(key) }
      checkpoints[counts.id] = try view.snapshot.value(of: key)
    }
  }

  package func holds(_ path: ResourcePath, in counts: KeptCounts) -> Bool {
    switch counts.state {
    case .ready: true
    case .retiring: false
    case .creating:
      checkpoints[counts.id].map {
        StorageKey.groupName(of: path).byteCompare($0) == .less
      } ?? false
    }
  }
}
