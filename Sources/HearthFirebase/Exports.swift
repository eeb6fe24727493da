// The modules that `import FirebaseFirestore` also brings along, and Combine's spelling.
// `OpenCombineShim` is all of OpenCombine, including `receive(on:)` for a dispatch queue and
// Foundation's publishers.
@_exported public import Foundation
@_exported public import OpenCombineShim

// Types that Firebase has under the same names and with the same meaning. Hearth's other types are
// not exported, so that names such as `Query` mean Firebase's if this module alone is imported.
@_exported public import struct Hearth.ExplicitNull
@_exported public import struct Hearth.VectorValue
