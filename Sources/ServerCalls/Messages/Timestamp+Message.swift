import HearthDocumentModel
import SwiftProtobuf

extension Timestamp {
  /// The stored time that a message means: digits below a microsecond are cut off.
  ///
  /// - Throws: `invalidArgument` outside of the range of timestamps.
  init(_ message: Google_Protobuf_Timestamp) throws(DatabaseError) {
    try self.init(seconds: message.seconds, nanoseconds: message.nanos)
  }

  /// The time that names a version. It is refused if digits would have to be cut off (§7.2, §7.5).
  ///
  /// - Throws: `invalidArgument`.
  init(ofVersion message: Google_Protobuf_Timestamp) throws(DatabaseError) {
    guard message.nanos % 1_000 == 0 else {
      throw DatabaseError.invalidArgument("timestamp cannot have more than microseconds precision")
    }
    try self.init(message)
  }

  var message: Google_Protobuf_Timestamp {
    Google_Protobuf_Timestamp(seconds: seconds, nanos: nanoseconds)
  }
}
