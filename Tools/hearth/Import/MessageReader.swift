/// Reads one document of Firestore's REST interface a line: what `hearth export --typed` writes.
package struct MessageReader: RecordReader {
  private var lines: NDJSONReader

  package init(_ bytes: InputBytes) {
    lines = NDJSONReader(bytes)
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    try lines.nextMessage()
  }
}
