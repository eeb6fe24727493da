import SwiftProtobuf

/// Writes a file's descriptor as the text of a definition: facts alone, in the form of the files in
/// `Tools/protocols/definitions`.
struct DefinitionText {
  private(set) var lines: [String] = []

  init(_ file: Google_Protobuf_FileDescriptorProto) {
    lines = ["syntax = \"proto3\";", "", "package \(file.package);"]
    if !file.dependency.isEmpty { lines.append("") }
    for path in file.dependency { lines.append("import \"\(path)\";") }
    for service in file.service { append(service) }
    for type in file.enumType {
      lines.append("")
      append(type, indent: "")
    }
    for message in file.messageType {
      lines.append("")
      append(message, indent: "")
    }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func append(_ service: Google_Protobuf_ServiceDescriptorProto) {
    lines += ["", "service \(service.name) {"]
    for method in service.method {
      let request = (method.clientStreaming ? "stream " : "") + method.inputType
      let response = (method.serverStreaming ? "stream " : "") + method.outputType
      lines.append("  rpc \(method.name)(\(request)) returns (\(response));")
    }
    lines.append("}")
  }

  private mutating func append(_ type: Google_Protobuf_EnumDescriptorProto, indent: String) {
    lines.append("\(indent)enum \(type.name) {")
    if type.options.allowAlias { lines.append("\(indent)  option allow_alias = true;") }
    for value in type.value {
      let tail = value.options.deprecated ? " [deprecated = true]" : ""
      lines.append("\(indent)  \(value.name) = \(value.number)\(tail);")
    }
    lines.append("\(indent)}")
  }

  private mutating func append(_ message: Google_Protobuf_DescriptorProto, indent: String) {
    lines.append("\(indent)message \(message.name) {")
    for type in message.enumType { append(type, indent: indent + "  ") }
    var hasNested = !message.enumType.isEmpty
    for nested in message.nestedType where !nested.options.mapEntry {
      if hasNested { lines.append("") }
      append(nested, indent: indent + "  ")
      hasNested = true
    }
    if hasNested, !message.field.isEmpty { lines.append("") }
    var told: Set<Int32> = []
    for field in message.field {
      guard field.hasOneofIndex, !field.proto3Optional else {
        lines.append("\(indent)  \(line(of: field, in: message))")
        continue
      }
      guard told.insert(field.oneofIndex).inserted else { continue }
      lines.append("\(indent)  oneof \(message.oneofDecl[Int(field.oneofIndex)].name) {")
      for member in message.field
      where member.hasOneofIndex && member.oneofIndex == field.oneofIndex {
        lines.append("\(indent)    \(line(of: member, in: message))")
      }
      lines.append("\(indent)  }")
    }
    lines.append("\(indent)}")
  }

  private func line(
    of field: Google_Protobuf_FieldDescriptorProto, in message: Google_Protobuf_DescriptorProto
  ) -> String {
    let tail = " = \(field.number)" + (field.options.deprecated ? " [deprecated = true]" : "") + ";"
    let entry = message.nestedType.first {
      $0.options.mapEntry && field.typeName.hasSuffix(".\(message.name).\($0.name)")
    }
    if let entry {
      return "map<\(typeName(entry.field[0])), \(typeName(entry.field[1]))> \(field.name)\(tail)"
    }
    let label = field.label == .repeated ? "repeated " : field.proto3Optional ? "optional " : ""
    return "\(label)\(typeName(field)) \(field.name)\(tail)"
  }

  private func typeName(_ field: Google_Protobuf_FieldDescriptorProto) -> String {
    switch field.type {
    case .double: "double"
    case .float: "float"
    case .int64: "int64"
    case .uint64: "uint64"
    case .int32: "int32"
    case .uint32: "uint32"
    case .bool: "bool"
    case .string: "string"
    case .bytes: "bytes"
    default: field.typeName
    }
  }
}
