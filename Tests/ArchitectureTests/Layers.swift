/// One target of the package and the modules that its files may import.
struct Layer {
  var name: String
  /// Folder of its files, from the root of the repository.
  var folder: String
  /// Modules that any of its files may import.
  var imports: Set<String> = []
  /// Sets of modules that only one file of the target, any one, may import together.
  var confined: [Set<String>] = []
  /// Whether it may re-export its imports.
  var reexports = false
}

extension Layer {
  /// Names of the C library on the platforms.
  static let cLibrary: Set<String> = ["Glibc", "Musl", "Darwin"]

  /// Modules that every target may import beside those of its layer.
  static let everywhere: Set<String> = ["Synchronization"]

  /// The table of the architecture page, lowest target first. A target may import only the modules
  /// in its row: the compiler would let an import of any transitively reachable module pass.
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
      name: "Reports", folder: "Sources/Reports", imports: ["DocumentModel", "QueryPlanning"]),
    Layer(
      name: "DocumentEngine", folder: "Sources/DocumentEngine",
      imports: ["OrderedStore", "DocumentModel", "StorageFormat", "QueryPlanning"],
      confined: [cLibrary]),
    Layer(
      name: "EngineUpkeep", folder: "Sources/EngineUpkeep",
      imports: [
        "DocumentEngine", "OrderedStore", "DocumentModel", "StorageFormat", "QueryPlanning",
        "Reports",
      ]),
    Layer(
      name: "FirestoreJSON", folder: "Sources/FirestoreJSON",
      imports: ["DocumentModel", "QueryPlanning", "FoundationEssentials"]),
    Layer(
      name: "AdminSocket", folder: "Sources/AdminSocket",
      imports: [
        "OrderedStore", "DocumentModel", "QueryPlanning", "Reports", "FirestoreJSON", "Dispatch",
      ],
      confined: [cLibrary]),
    // Only the file that opens a store imports the store.
    Layer(
      name: "Hearth", folder: "Sources/Hearth",
      imports: [
        "DocumentEngine", "EngineUpkeep", "DocumentModel", "StorageFormat", "QueryPlanning",
        "Reports",
        "FirestoreJSON", "AdminSocket", "Dispatch", "FoundationEssentials", "Logging",
        "CoreMetrics", "Tracing",
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
    // The base of the Firebase SDK's tests, in a package that Tools/firebase-tests makes.
    Layer(
      name: "FirebaseTests", folder: "Tools/firebase-tests-support",
      imports: ["Hearth", "HearthFirebase", "Foundation", "XCTest"]),
  ]
}
