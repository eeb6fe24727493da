// What `import FirebaseFirestore` brings along besides, and Combine's spelling. `OpenCombineShim`
// is all of OpenCombine, `receive(on:)` for a dispatch queue and Foundation's publishers included.
@_exported public import Foundation
@_exported public import OpenCombineShim

// What Firebase has under the same names, and with the same meaning. Everything else of Hearth's
// stays apart, so that names such as `Query` mean Firebase's where this module alone is imported.
@_exported public import struct Hearth.ExplicitNull
@_exported public import struct Hearth.VectorValue
