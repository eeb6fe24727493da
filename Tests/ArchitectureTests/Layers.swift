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

  /// The table of the page `LayersAndRooms`, lowest target first. A target may import only the
  /// modules in its row: the compiler would let an import of any transitively reachable module
  /// pass.
  static let all: [Layer] = [
    Layer(name: "CHearthLevelDB", folder: "Sources/CLevelDB"),
    Layer(name: "HearthOrderedStore", folder: "Sources/OrderedStore", confined: [cLibrary]),
    Layer(
      name: "HearthLevelDBStore", folder: "Sources/LevelDBStore",
      imports: ["HearthOrderedStore", "CHearthLevelDB"], confined: [cLibrary]),
    Layer(name: "HearthDocumentModel", folder: "Sources/DocumentModel"),
    Layer(name: "CPrefetch", folder: "Sources/CPrefetch"),
    Layer(
      name: "HearthStorageFormat", folder: "Sources/StorageFormat",
      imports: ["HearthDocumentModel"], confined: [["CPrefetch"], cLibrary]),
    Layer(
      name: "HearthQueryPlanning", folder: "Sources/QueryPlanning", imports: ["HearthDocumentModel"]
    ),
    Layer(name: "CRE2", folder: "Sources/CRE2"),
    Layer(
      name: "HearthSecurityRules", folder: "Sources/SecurityRules",
      imports: ["HearthDocumentModel", "HearthQueryPlanning"], confined: [["CRE2"], cLibrary]),
    Layer(
      name: "HearthReports", folder: "Sources/Reports",
      imports: ["HearthDocumentModel", "HearthQueryPlanning"]),
    Layer(
      name: "HearthDocumentEngine", folder: "Sources/DocumentEngine",
      imports: [
        "HearthOrderedStore", "HearthDocumentModel", "HearthStorageFormat", "HearthQueryPlanning",
      ],
      confined: [cLibrary]),
    Layer(
      name: "HearthEngineUpkeep", folder: "Sources/EngineUpkeep",
      imports: [
        "HearthDocumentEngine", "HearthOrderedStore", "HearthDocumentModel", "HearthStorageFormat",
        "HearthQueryPlanning",
        "HearthReports",
      ]),
    Layer(
      name: "HearthFirestoreJSON", folder: "Sources/FirestoreJSON",
      imports: ["HearthDocumentModel", "HearthQueryPlanning", "FoundationEssentials"]),
    Layer(
      name: "HearthAdminSocket", folder: "Sources/AdminSocket",
      imports: [
        "HearthOrderedStore", "HearthDocumentModel", "HearthQueryPlanning", "HearthReports",
        "HearthFirestoreJSON", "Dispatch",
      ],
      confined: [cLibrary]),
    // Only the file that opens a store imports the store.
    Layer(
      name: "Hearth", folder: "Sources/Hearth",
      imports: [
        "HearthDocumentEngine", "HearthEngineUpkeep", "HearthDocumentModel", "HearthStorageFormat",
        "HearthQueryPlanning",
        "HearthReports",
        "HearthFirestoreJSON", "HearthAdminSocket", "Dispatch", "FoundationEssentials", "Logging",
        "CoreMetrics", "Tracing",
      ],
      confined: [cLibrary, ["HearthOrderedStore", "HearthLevelDBStore"]], reexports: true),
    Layer(
      name: "HearthRules", folder: "Sources/HearthRules",
      imports: [
        "Hearth", "HearthDocumentModel", "HearthDocumentEngine", "HearthQueryPlanning",
        "HearthSecurityRules",
      ],
      reexports: true),
    Layer(
      name: "HearthFirebase", folder: "Sources/HearthFirebase",
      imports: ["Hearth", "OpenCombine", "OpenCombineShim", "Dispatch", "Foundation"],
      reexports: true),
    Layer(
      name: "HearthTokens", folder: "Sources/Tokens",
      imports: [
        "HearthDocumentModel", "HearthFirestoreJSON", "Crypto", "CryptoExtras", "Dispatch",
        "FoundationEssentials",
      ]),
    Layer(
      name: "HearthAccounts", folder: "Sources/Accounts",
      imports: [
        "Hearth", "HearthDocumentModel", "HearthFirestoreJSON", "HearthTokens",
        "FoundationEssentials",
      ]),
    Layer(
      name: "HearthAuth", folder: "Sources/HearthAuth",
      imports: [
        "Hearth", "HearthRules", "HearthFirebase", "HearthAccounts", "HearthDocumentModel",
        "HearthFirestoreJSON", "HearthTokens", "Dispatch", "Foundation", "FoundationNetworking",
      ],
      confined: [cLibrary], reexports: true),
    Layer(
      name: "HearthProtocols", folder: "Sources/Protocols",
      imports: ["SwiftProtobuf", "Foundation", "FoundationEssentials"]),
    Layer(
      name: "HearthServerTransport", folder: "Sources/ServerTransport",
      imports: [
        "NIOConcurrencyHelpers", "NIOCore", "NIOHPACK", "NIOHTTP1", "NIOHTTP2", "NIOPosix",
        "NIOSSL",
      ],
      confined: [["CZlib"], cLibrary]),
    Layer(
      name: "HearthServerCalls", folder: "Sources/ServerCalls",
      imports: [
        "Hearth", "HearthRules", "HearthDocumentModel", "HearthDocumentEngine",
        "HearthQueryPlanning", "HearthSecurityRules", "HearthFirestoreJSON", "HearthTokens",
        "HearthProtocols", "SwiftProtobuf", "FoundationEssentials",
      ]),
    Layer(name: "CHearthConsole", folder: "Sources/ConsolePages"),
    Layer(
      name: "HearthServer", folder: "Sources/HearthServer",
      imports: [
        "Hearth", "HearthRules", "HearthDocumentModel", "HearthSecurityRules",
        "HearthFirestoreJSON", "HearthTokens", "HearthAccounts", "HearthProtocols",
        "HearthServerCalls", "HearthServerTransport", "CoreMetrics", "SwiftProtobuf",
        "FoundationEssentials",
      ],
      confined: [cLibrary, ["CHearthConsole"]]),
    Layer(
      name: "hearth", folder: "Tools/hearth",
      imports: [
        "Hearth", "HearthFirestoreJSON", "HearthAdminSocket", "HearthDocumentEngine",
        "HearthRules", "HearthSecurityRules", "HearthServer", "ArgumentParser",
        "Histogram", "CZlib", "Dispatch", "FoundationEssentials",
      ],
      confined: [["CEdit"], cLibrary]),
    // The base of the Firebase SDK's tests, in a package that Tools/firebase-tests makes.
    Layer(
      name: "FirebaseTests", folder: "Tools/firebase-tests-support",
      imports: ["Hearth", "HearthFirebase", "Foundation", "XCTest"]),
  ]
}
