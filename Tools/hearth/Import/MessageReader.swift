/// A reader of one document of Firestore's REST interface per line, the output of `hearth export
/// --typed`.
package struct MessageReader: RecordReader {
  private var lines: NDJSONReader

  package init(_ bytes: InputBytes) {
    lines = NDJSONReader(bytes)
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    try lines.nextMessage()
  }

  package var keepsRecords: Bool {
    get { lines.keepsRecords }
    set { lines.keepsRecords = newValue }
  }

  package var recordText: [UInt8] { lines.recordText }

  package mutating func skipRefused() throws(InputError) -> Bool { try lines.skipRefused() }
}
