/// One target of the package and what its files may import.
struct Layer {
  var name: String
  /// The folder that holds its files, from the root of the repository.
  var folder: String
  /// The modules that any of its files may import.
  var imports: Set<String> = []
  /// Sets of modules that together stand in one file of the target, whichever that is.
  var confined: [Set<String>] = []
  /// Whether it may re-export what it imports.
  var reexports = false
}

extension Layer {
  /// The C library under its names on the platforms.
  static let cLibrary: Set<String> = ["Glibc", "Musl", "Darwin"]

  /// What every target may import beside what its layer lists.
  static let everywhere: Set<String> = ["Synchronization"]

  /// The table of the architecture page, lowest target first. A target imports only what stands in
  /// its row: the compiler would let an import of any transitively reachable module pass.
  static let all: [Layer] = [
    Layer(name: "CLevelDB", folder: "Sources/CLevelDB"),
    Layer(name: "OrderedStore", folder: "Sources/OrderedStore", confined: [cLibrary]),
    Layer(
      name: "LevelDBStore", folder: "Sources/LevelDBStore",
      imports: ["OrderedStore", "CLevelDB"], confined: [cLibrary]),
    Layer(name: "DocumentModel", folder: "Sources/DocumentModel"),
    Layer(name: "StorageFormat", folder: "Sources/StorageFormat", imports: ["DocumentModel"]),
    Layer(name: "QueryPlanning", folder: "Sources/QueryPlanning", imports: ["DocumentModel"]),
    Layer(
      name: "DocumentEngine", folder: "Sources/DocumentEngine",
      imports: ["OrderedStore", "DocumentModel", "StorageFormat", "QueryPlanning"],
      confined: [cLibrary]),
    Layer(
      name: "FirestoreJSON", folder: "Sources/FirestoreJSON",
      imports: ["DocumentModel", "QueryPlanning", "FoundationEssentials"]),
    Layer(
      name: "AdminSocket", folder: "Sources/AdminSocket",
      imports: ["OrderedStore", "DocumentModel", "QueryPlanning", "FirestoreJSON", "Dispatch"],
      confined: [cLibrary]),
    // Hearth names the store only where it opens one.
    Layer(
      name: "Hearth", folder: "Sources/Hearth",
      imports: [
        "DocumentEngine", "DocumentModel", "StorageFormat", "QueryPlanning", "FirestoreJSON",
        "AdminSocket", "Dispatch", "FoundationEssentials", "Logging", "CoreMetrics", "Tracing",
      ],
      confined: [cLibrary, ["OrderedStore", "LevelDBStore"]], reexports: true),
    Layer(
      name: "HearthFirebase", folder: "Sources/HearthFirebase",
      imports: ["Hearth", "OpenCombine", "OpenCombineShim", "Dispatch", "Foundation"],
      reexports: true),
    Layer(
      name: "hearth", folder: "Tools/hearth",
      imports: [
        "Hearth", "FirestoreJSON", "AdminSocket", "DocumentEngine", "ArgumentParser",
        "Histogram", "CZlib", "Dispatch", "FoundationEssentials",
      ],
      confined: [cLibrary]),
    // What the Firebase SDK's tests build on, in a package that Tools/firebase-tests makes.
    Layer(
      name: "FirebaseTests", folder: "Tools/firebase-tests-support",
      imports: ["Hearth", "HearthFirebase", "Foundation", "XCTest"]),
  ]
}
