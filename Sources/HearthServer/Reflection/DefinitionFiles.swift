import FoundationEssentials
import HearthProtocols
import SwiftProtobuf

/// The files of definitions that the server was built with.
struct DefinitionFiles: Sendable {
  private var files: [String: Data] = [:]
  /// The names of files by the full names that they define.
  private var places: [String: String] = [:]

  init() {
    for file in MessageSchema.definitions.file {
      files[file.name] = try? file.serializedData()
      for service in file.service {
        add("\(file.package).\(service.name)", in: file.name)
        for method in service.method {
          add("\(file.package).\(service.name).\(method.name)", in: file.name)
        }
      }
      for message in file.messageType { add(message, below: file.package, in: file.name) }
      for type in file.enumType { add("\(file.package).\(type.name)", in: file.name) }
    }
  }

  subscript(name: String) -> Data? { files[name] }

  /// Returns the file that defines a service, a method, a message or an enumeration.
  func file(defining name: String) -> Data? { places[name].flatMap { files[$0] } }

  private mutating func add(_ name: String, in file: String) { places[name] = file }

  private mutating func add(
    _ message: Google_Protobuf_DescriptorProto, below scope: String, in file: String
  ) {
    let name = "\(scope).\(message.name)"
    add(name, in: file)
    for nested in message.nestedType { add(nested, below: name, in: file) }
    for type in message.enumType { add("\(name).\(type.name)", in: file) }
  }
}
