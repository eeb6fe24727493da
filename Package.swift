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
// depends on this one by its path.
if Context.environment["HEARTH_WARNINGS"] == "error" {
  settings.append(.treatAllWarnings(as: .error))
}

let package = Package(
  name: "Hearth",
  products: [
    .library(name: "Hearth", targets: ["Hearth"]),
    .library(name: "HearthFirebase", targets: ["HearthFirebase"]),
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
  ],
  targets: [
    .systemLibrary(name: "CLevelDB", providers: [.apt(["libleveldb-dev"])]),
    .systemLibrary(name: "CZlib", path: "Tools/CZlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "OrderedStore"),
    .target(name: "LevelDBStore", dependencies: ["OrderedStore", "CLevelDB"]),
    .target(name: "DocumentModel"),
    .target(name: "StorageFormat", dependencies: ["DocumentModel"]),
    .target(name: "QueryPlanning", dependencies: ["DocumentModel"]),
    .target(name: "Reports", dependencies: ["DocumentModel", "QueryPlanning"]),
    .target(
      name: "DocumentEngine",
      dependencies: ["OrderedStore", "DocumentModel", "StorageFormat", "QueryPlanning"]),
    .target(
      name: "EngineUpkeep",
      dependencies: [
        "DocumentEngine", "OrderedStore", "DocumentModel", "StorageFormat", "QueryPlanning",
        "Reports",
      ]),
    .target(name: "FirestoreJSON", dependencies: ["DocumentModel", "QueryPlanning"]),
    .target(
      name: "AdminSocket",
      dependencies: ["OrderedStore", "DocumentModel", "QueryPlanning", "Reports", "FirestoreJSON"]),
    .target(
      name: "Hearth",
      dependencies: [
        "DocumentEngine", "EngineUpkeep", "DocumentModel", "StorageFormat", "QueryPlanning",
        "Reports", "FirestoreJSON", "AdminSocket", "OrderedStore", "LevelDBStore",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ]),

    .target(
      name: "HearthFirebase",
      dependencies: [
        "Hearth", .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineShim", package: "OpenCombine"),
      ]),

    .executableTarget(
      name: "hearth",
      dependencies: [
        "Hearth", "FirestoreJSON", "AdminSocket", "DocumentEngine", "CZlib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Tools/hearth"),

    .target(
      name: "TestSupport",
      dependencies: [
        "OrderedStore", "LevelDBStore", "DocumentModel", "QueryPlanning",
      ],
      path: "Tests/TestSupport"),
    .executableTarget(
      name: "StoreProbe", dependencies: ["OrderedStore", "LevelDBStore"],
      path: "Tests/StoreProbe"),
    .executableTarget(
      name: "ImportFloor",
      dependencies: ["DocumentEngine", "EngineUpkeep", "LevelDBStore", "TestSupport"],
      path: "Tools/floors/ImportFloor"),
    .executableTarget(
      name: "BuildFloor",
      dependencies: [
        "Hearth", "DocumentEngine", "EngineUpkeep", "LevelDBStore", "OrderedStore",
        "StorageFormat", "TestSupport",
      ],
      path: "Tools/floors/BuildFloor"),
    .executableTarget(
      name: "ListenerCost", dependencies: ["Hearth", "OrderedStore", "TestSupport"],
      path: "Tools/floors/ListenerCost"),
    .executableTarget(
      name: "DeleteCost", dependencies: ["LevelDBStore", "OrderedStore", "TestSupport"],
      path: "Tools/floors/DeleteCost"),
    .executableTarget(
      name: "SumCost", dependencies: ["Hearth", "TestSupport"], path: "Tools/floors/SumCost"),
    .testTarget(
      name: "OrderedStoreTests",
      dependencies: ["OrderedStore", "LevelDBStore", "CLevelDB", "TestSupport", "StoreProbe"]),
    .testTarget(name: "DocumentModelTests", dependencies: ["DocumentModel", "TestSupport"]),
    .testTarget(name: "StorageFormatTests", dependencies: ["StorageFormat", "TestSupport"]),
    .testTarget(name: "QueryPlanningTests", dependencies: ["QueryPlanning", "TestSupport"]),
    .testTarget(
      name: "DocumentEngineTests",
      dependencies: ["DocumentEngine", "EngineUpkeep", "TestSupport"]),
    .testTarget(name: "FirestoreJSONTests", dependencies: ["FirestoreJSON", "TestSupport"]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Hearth", "DocumentEngine", "EngineUpkeep", "FirestoreJSON"]),
    .testTarget(
      name: "HearthTests",
      dependencies: [
        "Hearth", "DocumentEngine", "EngineUpkeep", "DocumentModel", "FirestoreJSON",
        "OrderedStore", "TestSupport",
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
      name: "HearthFirebaseTests",
      dependencies: [
        "Hearth", "HearthFirebase", .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .executableTarget(name: "AdminHost", dependencies: ["Hearth"], path: "Tests/AdminHost"),
    .testTarget(
      name: "AdminSocketTests",
      dependencies: ["AdminSocket", "Hearth", "FirestoreJSON", "TestSupport"]),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "hearth", "AdminHost", "AdminSocket", "Hearth", "OrderedStore", "LevelDBStore",
        "StorageFormat", "TestSupport",
      ]),
    .executableTarget(
      name: "CrashWriter",
      dependencies: [
        "DocumentEngine", "EngineUpkeep", "Hearth", "LevelDBStore", "StorageFormat", "TestSupport",
      ],
      path: "Tests/CrashWriter"),
    .executableTarget(
      name: "ForkProbe", dependencies: ["Hearth", "HearthFirebase", "AdminSocket"],
      path: "Tests/ForkProbe"),
    .testTarget(
      name: "DurabilityTests",
      dependencies: [
        "Hearth", "DocumentEngine", "EngineUpkeep", "CrashWriter", "ForkProbe", "StoreProbe",
        "TestSupport",
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
