// What Firebase has under the same names, and with the same meaning. Everything else of Hearth's
// stays apart, so that names such as `Query` mean Firebase's where this module alone is imported.
@_exported public import struct Hearth.DocumentID
@_exported public import protocol Hearth.DocumentIDWrappable
@_exported public import struct Hearth.ExplicitNull
@_exported public import struct Hearth.ServerTimestamp
@_exported public import protocol Hearth.ServerTimestampWrappable
@_exported public import struct Hearth.VectorValue
