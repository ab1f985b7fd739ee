// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same language rules; warnings are errors everywhere.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Tests and their models are not optimized themselves in a release build, which takes ten times as
/// long as what they test: that is.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// With STORECODER_TESTS=stress in the environment the tests are those that are random, have threads
/// or count bytes: what the sanitizers are for, built in half the time.
let isStress = Context.environment["STORECODER_TESTS"] == "stress"
let stressFolders = isStress ? ["Stress", "Support"] : nil

/// SQLite is the system's: a system library on Linux, the SDK's `SQLite3` on Apple platforms.
let sqlite: Target.Dependency = .target(
  name: "StoreSQLite", condition: .when(platforms: [.linux]))
/// Where files are built in at all.
let sqliteForFiles: Target.Dependency = .target(
  name: "StoreSQLite", condition: .when(platforms: [.linux], traits: ["Files"]))

let package = Package(
  name: "StoreCoder",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ObjectStore", targets: ["ObjectStore"]),
    .library(name: "StoreCoding", targets: ["StoreCoding"]),
    .library(name: "ValueModels", targets: ["ValueModels"]),
    .library(name: "StoreTesting", targets: ["StoreTesting"]),
    .library(name: "DataSources", targets: ["DataSources"]),
    .executable(name: "storecoder", targets: ["storecoder"]),
    .executable(name: "restaurants", targets: ["restaurants"]),
    .executable(name: "storebench", targets: ["storebench"]),
  ],
  traits: [
    .default(enabledTraits: ["Files"]),
    .trait(
      name: "Files",
      description:
        "Stores in files, by the system's SQLite. Without it stores live in memory alone."),
  ],
  targets: [
    // Hidden targets: public API between our modules, no product.
    .target(name: "ObjectStoreShims"),
    .target(name: "JSONText", swiftSettings: strict),
    .systemLibrary(
      name: "StoreSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "StoreDatabase", dependencies: [sqliteForFiles], swiftSettings: strict),

    .target(
      name: "ObjectStore", dependencies: ["ObjectStoreShims", "JSONText", "StoreDatabase"],
      swiftSettings: strict),
    .target(name: "StoreCoding", dependencies: ["ObjectStore", "JSONText"], swiftSettings: strict),
    .target(name: "ValueModels", dependencies: ["ObjectStore"], swiftSettings: strict),
    .target(
      name: "StoreTesting", dependencies: ["StoreCoding", "ObjectStore", "JSONText"],
      swiftSettings: strict),
    .target(
      name: "DataSources", dependencies: ["ObjectStore", "ValueModels"], swiftSettings: strict),
    // Not a product either: the other side, for tests and the example.
    .target(name: "LoopbackServer", dependencies: ["DataSources"], swiftSettings: strict),

    .executableTarget(
      name: "storecoder", dependencies: ["ObjectStore", "StoreCoding", "JSONText"],
      swiftSettings: strict),
    .executableTarget(
      name: "restaurants",
      dependencies: ["ObjectStore", "StoreCoding", "DataSources", "LoopbackServer"],
      swiftSettings: strict),
    .executableTarget(
      name: "storebench", dependencies: ["ObjectStore", "StoreCoding", sqlite],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["ObjectStore", "StoreCoding"], path: "Tests/TestSupport",
      swiftSettings: tests),
    .testTarget(
      name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: ["ObjectStore", "StoreDatabase", "TestSupport", sqlite],
      sources: stressFolders, swiftSettings: tests),
    .testTarget(
      name: "StoreCodingTests", dependencies: ["StoreCoding", "ObjectStore", "TestSupport"],
      sources: stressFolders, swiftSettings: tests),
  ]
    + (isStress
      ? []
      : [
        // Classes as an app would have them, so optimized as an app would be.
        .testTarget(
          name: "LayoutTests", dependencies: ["ObjectStore", "TestSupport"], swiftSettings: strict),
        .testTarget(
          name: "ValueModelsTests", dependencies: ["ValueModels", "ObjectStore", "TestSupport"],
          swiftSettings: tests),
        .testTarget(
          name: "DataSourcesTests",
          dependencies: [
            "DataSources", "LoopbackServer", "ValueModels", "StoreCoding", "ObjectStore",
            "TestSupport",
          ],
          swiftSettings: tests),
        .testTarget(
          name: "StoreTestingTests",
          dependencies: ["StoreTesting", "StoreCoding", "ObjectStore", "TestSupport"],
          swiftSettings: tests),
        .testTarget(
          name: "StorecoderTests",
          dependencies: ["storecoder", "ObjectStore", "StoreCoding", "JSONText", "TestSupport"],
          swiftSettings: tests),
        .testTarget(
          name: "RestaurantsTests",
          dependencies: [
            "restaurants", "LoopbackServer", "StoreTesting", "DataSources", "ObjectStore",
            "TestSupport",
          ],
          swiftSettings: tests),
        .testTarget(name: "StorebenchTests", dependencies: ["storebench"], swiftSettings: tests),
      ]),
  swiftLanguageModes: [.v6]
)
