// The modules that `import FirebaseAuth` also brings along, and the app that a program configures.
@_exported public import Foundation
@_exported public import class HearthFirebase.FirebaseApp
