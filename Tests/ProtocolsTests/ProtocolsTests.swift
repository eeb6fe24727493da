import Foundation
import HearthProtocols
import SwiftProtobuf
import Testing

/// The generated code against the definitions that it was made from.
@Suite struct ProtocolsTests {
  private static let definitions = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tools/protocols/definitions")

  /// The descriptors but for those of swift-protobuf's own messages.
  private static func files() throws -> [Google_Protobuf_FileDescriptorProto] {
    let bytes = try #require(Data(base64Encoded: encodedFileDescriptors))
    return try Google_Protobuf_FileDescriptorSet(serializedBytes: bytes).file
      .filter { $0.package != "google.protobuf" }
  }

  @Test func theDescriptorsAreThoseOfTheDefinitions() throws {
    let files = try Self.files()
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.definitions.path)
      .filter { $0.hasSuffix(".proto") }
    #expect(files.map(\.name).sorted() == names.sorted())
    #expect(names.count > 20)
    for file in files {
      let text = try String(
        contentsOf: Self.definitions.appending(path: file.name), encoding: .utf8)
      #expect(DefinitionText(file).text == text)
    }
  }

  @Test func theMessagesHaveTheFieldsOfTheDescriptors() throws {
    var descriptors: [String: Google_Protobuf_DescriptorProto] = [:]
    func add(_ message: Google_Protobuf_DescriptorProto, _ prefix: String) {
      descriptors["\(prefix).\(message.name)"] = message
      for nested in message.nestedType { add(nested, "\(prefix).\(message.name)") }
    }
    for file in try Self.files() {
      for message in file.messageType { add(message, ".\(file.package)") }
    }
    let samples = SampleBytes(messages: descriptors)
    var missing = descriptors.filter { !$0.value.options.mapEntry }
    // The entries of maps are no message of their own in the definitions.
    for type in generatedMessages where type != Google_Firestore_V1_FieldEntry.self {
      let removed = missing.removeValue(forKey: ".\(type.protoMessageName)")
      let descriptor = try #require(removed)
      for field in descriptor.field {
        let name = Comment(rawValue: "\(type.protoMessageName).\(field.name)")
        let bytes = samples.bytes(of: field)
        let message = try type.init(serializedBytes: bytes)
        let again: [UInt8] = try message.serializedBytes()
        #expect(again == bytes, name)
        // A field that the code doesn't know has no name.
        #expect(try message.jsonString().contains("\"\(field.jsonName)\""), name)
      }
    }
    #expect(missing.keys.sorted() == [])
  }
}
