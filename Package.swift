// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  // `RawSpan` results tied to the cursor or record that owns the bytes.
  .enableExperimentalFeature("Lifetimes"),
]
// Only where Hearth itself is tested: a newer compiler's warnings must not break a package that
// depends on this one by its path, and counting locks costs time.
if Context.environment["HEARTH_CHECKS"] == "1" {
  settings += [.treatAllWarnings(as: .error), .define("HEARTH_COUNTS_LOCKS")]
}

let package = Package(
  name: "Hearth",
  products: [
    .library(name: "Hearth", targets: ["Hearth"]),
    .library(name: "HearthFirebase", targets: ["HearthFirebase"]),
    .library(name: "HearthRules", targets: ["HearthRules"]),
    .library(name: "HearthAuth", targets: ["HearthAuth"]),
    .library(name: "HearthServer", targets: ["HearthServer"]),
  ],
  traits: [
    .trait(
      name: "Tracing", description: "Spans for operations, through swift-distributed-tracing.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    // Sign-in's alone.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    // The server's alone: the products Hearth and HearthFirebase build none of them.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CHearthLevelDB", path: "Sources/CLevelDB", providers: [.apt(["libleveldb-dev"])]),
    .systemLibrary(name: "CEdit", path: "Tools/CEdit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CZlib", path: "Tools/CZlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "HearthOrderedStore", path: "Sources/OrderedStore"),
    .target(
      name: "HearthLevelDBStore", dependencies: ["HearthOrderedStore", "CHearthLevelDB"],
      path: "Sources/LevelDBStore"),
    .target(name: "HearthDocumentModel", path: "Sources/DocumentModel"),
    .target(name: "CPrefetch", path: "Sources/CPrefetch"),
    .target(
      name: "HearthStorageFormat", dependencies: ["HearthDocumentModel", "CPrefetch"],
      path: "Sources/StorageFormat"),
    .target(
      name: "HearthQueryPlanning", dependencies: ["HearthDocumentModel"],
      path: "Sources/QueryPlanning"),
    .target(name: "CRE2", path: "Sources/CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(
      name: "HearthSecurityRules",
      dependencies: ["HearthDocumentModel", "HearthQueryPlanning", "CRE2"],
      path: "Sources/SecurityRules"),
    .target(
      name: "HearthReports", dependencies: ["HearthDocumentModel", "HearthQueryPlanning"],
      path: "Sources/Reports"),
    .target(
      name: "HearthDocumentEngine",
      dependencies: [
        "HearthOrderedStore", "HearthDocumentModel", "HearthStorageFormat", "HearthQueryPlanning",
      ],
      path: "Sources/DocumentEngine"),
    .target(
      name: "HearthEngineUpkeep",
      dependencies: [
        "HearthDocumentEngine", "HearthOrderedStore", "HearthDocumentModel", "HearthStorageFormat",
        "HearthQueryPlanning", "HearthReports",
      ],
      path: "Sources/EngineUpkeep"),
    .target(
      name: "HearthFirestoreJSON", dependencies: ["HearthDocumentModel", "HearthQueryPlanning"],
      path: "Sources/FirestoreJSON"),
    .target(
      name: "HearthAdminSocket",
      dependencies: [
        "HearthOrderedStore", "HearthDocumentModel", "HearthQueryPlanning", "HearthReports",
        "HearthFirestoreJSON",
      ],
      path: "Sources/AdminSocket"),
    .target(
      name: "Hearth",
      dependencies: [
        "HearthDocumentEngine", "HearthEngineUpkeep", "HearthDocumentModel", "HearthStorageFormat",
        "HearthQueryPlanning", "HearthReports", "HearthFirestoreJSON", "HearthAdminSocket",
        "HearthOrderedStore", "HearthLevelDBStore",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ]),

    .target(
      name: "HearthRules",
      dependencies: [
        "Hearth", "HearthDocumentModel", "HearthDocumentEngine", "HearthQueryPlanning",
        "HearthSecurityRules",
      ]),

    .target(
      name: "HearthFirebase",
      dependencies: [
        "Hearth", .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineShim", package: "OpenCombine"),
      ]),

    .target(
      name: "HearthTokens",
      dependencies: [
        "HearthDocumentModel", "HearthFirestoreJSON",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      path: "Sources/Tokens"),
    .target(
      name: "HearthAccounts",
      dependencies: ["Hearth", "HearthDocumentModel", "HearthFirestoreJSON", "HearthTokens"],
      path: "Sources/Accounts"),
    .target(
      name: "HearthAuth",
      dependencies: [
        "Hearth", "HearthRules", "HearthFirebase", "HearthAccounts", "HearthDocumentModel",
        "HearthFirestoreJSON", "HearthTokens",
      ]),

    .target(
      name: "HearthProtocols",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Sources/Protocols"),
    .target(
      name: "HearthServerTransport",
      dependencies: [
        "CZlib", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "Sources/ServerTransport"),
    .target(
      name: "HearthServerCalls",
      dependencies: [
        "Hearth", "HearthRules", "HearthDocumentModel", "HearthDocumentEngine",
        "HearthQueryPlanning", "HearthSecurityRules", "HearthFirestoreJSON", "HearthTokens",
        "HearthProtocols",
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Sources/ServerCalls"),
    .target(name: "CHearthConsole", path: "Sources/ConsolePages", exclude: ["pages"]),
    .target(
      name: "HearthServer",
      dependencies: [
        "CHearthConsole", "Hearth", "HearthRules", "HearthDocumentModel", "HearthSecurityRules",
        "HearthFirestoreJSON", "HearthTokens", "HearthAccounts", "HearthProtocols",
        "HearthServerCalls", "HearthServerTransport",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),

    .executableTarget(
      name: "hearth",
      dependencies: [
        "Hearth", "HearthFirestoreJSON", "HearthAdminSocket", "HearthDocumentEngine",
        "HearthRules", "HearthSecurityRules", "HearthServer", "CEdit", "CZlib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Tools/hearth"),

    .target(
      name: "TestSupport",
      dependencies: [
        "HearthOrderedStore", "HearthLevelDBStore", "HearthDocumentModel", "HearthQueryPlanning",
      ],
      path: "Tests/TestSupport"),
    .executableTarget(
      name: "StoreProbe", dependencies: ["HearthOrderedStore", "HearthLevelDBStore"],
      path: "Tests/StoreProbe"),
    .executableTarget(
      name: "ImportFloor",
      dependencies: [
        "HearthDocumentEngine", "HearthEngineUpkeep", "HearthLevelDBStore", "TestSupport",
      ],
      path: "Tools/floors/ImportFloor"),
    .executableTarget(
      name: "BuildFloor",
      dependencies: [
        "Hearth", "HearthDocumentEngine", "HearthEngineUpkeep", "HearthLevelDBStore",
        "HearthOrderedStore", "HearthStorageFormat", "TestSupport",
      ],
      path: "Tools/floors/BuildFloor"),
    .executableTarget(
      name: "ListenerCost", dependencies: ["Hearth", "HearthOrderedStore", "TestSupport"],
      path: "Tools/floors/ListenerCost"),
    .executableTarget(
      name: "DeleteCost",
      dependencies: ["HearthLevelDBStore", "HearthOrderedStore", "TestSupport"],
      path: "Tools/floors/DeleteCost"),
    .executableTarget(
      name: "RulesCost", dependencies: ["HearthSecurityRules", "HearthDocumentModel"],
      path: "Tools/floors/RulesCost",
      exclude: ["tasks.rules"]),
    .executableTarget(
      name: "ServerLoad",
      dependencies: [
        "HearthProtocols", "ServerTestClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      path: "Tools/floors/ServerLoad",
      exclude: ["python_load.py"]),
    .executableTarget(
      name: "SumCost", dependencies: ["Hearth", "TestSupport"], path: "Tools/floors/SumCost"),
    .testTarget(
      name: "OrderedStoreTests",
      dependencies: [
        "HearthOrderedStore", "HearthLevelDBStore", "CHearthLevelDB", "TestSupport", "StoreProbe",
      ]),
    .testTarget(name: "DocumentModelTests", dependencies: ["HearthDocumentModel", "TestSupport"]),
    .testTarget(name: "StorageFormatTests", dependencies: ["HearthStorageFormat", "TestSupport"]),
    .testTarget(name: "QueryPlanningTests", dependencies: ["HearthQueryPlanning", "TestSupport"]),
    .testTarget(
      name: "SecurityRulesTests",
      dependencies: [
        "HearthSecurityRules", "HearthDocumentModel", "HearthFirestoreJSON", "HearthQueryPlanning",
        "TestSupport",
      ]),
    .testTarget(
      name: "DocumentEngineTests",
      dependencies: ["HearthDocumentEngine", "HearthEngineUpkeep", "TestSupport"]),
    .testTarget(name: "FirestoreJSONTests", dependencies: ["HearthFirestoreJSON", "TestSupport"]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "Hearth", "HearthDocumentEngine", "HearthEngineUpkeep", "HearthFirestoreJSON",
        "HearthOrderedStore", "HearthServer", "HearthServerCalls", "ServerTestClient",
        "TestSupport",
      ]),
    .testTarget(
      name: "HearthTests",
      dependencies: [
        "Hearth", "HearthDocumentEngine", "HearthEngineUpkeep", "HearthDocumentModel",
        "HearthFirestoreJSON", "HearthOrderedStore", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ]),
    .testTarget(
      name: "HearthRulesTests",
      dependencies: ["Hearth", "HearthRules", "HearthDocumentModel", "HearthQueryPlanning"]),
    .testTarget(
      name: "AccountsTests",
      dependencies: [
        "Hearth", "HearthAccounts", "HearthTokens", "HearthDocumentModel", "HearthFirestoreJSON",
        "TestSupport",
      ]),
    .testTarget(
      name: "TokensTests",
      dependencies: [
        "HearthTokens", "HearthDocumentModel", "HearthFirestoreJSON", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .testTarget(
      name: "HearthFirebaseTests",
      dependencies: [
        "Hearth", "HearthFirebase", .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .testTarget(
      name: "HearthAuthTests",
      dependencies: [
        "Hearth", "HearthAuth", "HearthFirebase", "HearthRules", "HearthAccounts",
        "HearthDocumentModel", "HearthFirestoreJSON", "HearthServer", "HearthServerCalls",
        "HearthTokens", "ServerTestClient", "TestSupport",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .testTarget(
      name: "ProtocolsTests",
      dependencies: [
        "HearthProtocols", .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
    .testTarget(
      name: "ServerTransportTests",
      dependencies: [
        "HearthServerTransport", "ServerTestClient",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
      ]),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "hearth", "HearthServer", "HearthServerCalls", "HearthServerTransport", "HearthProtocols",
        "Hearth", "HearthRules", "HearthSecurityRules", "HearthDocumentModel",
        "HearthFirestoreJSON", "HearthOrderedStore", "HearthTokens", "ServerTestClient",
        "TestSupport",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
    .target(
      name: "ServerTestClient",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "Tests/ServerTestClient"),
    .executableTarget(name: "AdminHost", dependencies: ["Hearth"], path: "Tests/AdminHost"),
    .testTarget(
      name: "AdminSocketTests",
      dependencies: ["HearthAdminSocket", "Hearth", "HearthFirestoreJSON", "TestSupport"]),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "hearth", "AdminHost", "HearthAdminSocket", "Hearth", "HearthOrderedStore",
        "HearthLevelDBStore", "HearthStorageFormat", "ServerTestClient", "TestSupport",
      ]),
    .executableTarget(
      name: "CrashWriter",
      dependencies: [
        "HearthDocumentEngine", "HearthEngineUpkeep", "Hearth", "HearthLevelDBStore",
        "HearthStorageFormat", "TestSupport",
      ],
      path: "Tests/CrashWriter"),
    .executableTarget(
      name: "ForkProbe", dependencies: ["Hearth", "HearthFirebase", "HearthAdminSocket"],
      path: "Tests/ForkProbe"),
    .testTarget(
      name: "DurabilityTests",
      dependencies: [
        "Hearth", "HearthDocumentEngine", "HearthEngineUpkeep", "CrashWriter", "ForkProbe",
        "StoreProbe", "TestSupport",
      ]),
    .target(name: "SourceStructure", path: "Tests/SourceStructure"),
    .executableTarget(
      name: "StructureTool", dependencies: ["SourceStructure"], path: "Tests/StructureTool"),
    .testTarget(name: "ArchitectureTests", dependencies: ["SourceStructure"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = settings
}
