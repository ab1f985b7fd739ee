// swift-tools-version: 6.2
import PackageDescription

/// The language rules of all targets. Warnings are errors.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Tests and their models are not optimized in a release build, because that would take ten times as long. The libraries
/// that they test are. Without debug information, tests build faster; the driver's own `-g` would override a plain `-gnone`.
let tests =
  strict + [
    .unsafeFlags(["-Xfrontend", "-gnone"]),
    .unsafeFlags(["-Onone"], .when(configuration: .release)),
  ]

/// With STORECODER_TESTS=stress in the environment, only the tests for the sanitizers are built, in half the time: those
/// that are random, use threads or count bytes.
let isStress = Context.environment["STORECODER_TESTS"] == "stress"
/// With STORECODER_TESTS=fuzz, the only tests are FuzzTests, and the program of `.ci/fuzz` is built, too.
let isFuzz = Context.environment["STORECODER_TESTS"] == "fuzz"
let stressFolders = isStress ? ["Stress", "Support"] : nil

/// In these builds each commit checks the invariants of the engine.
let engineChecks: [SwiftSetting] = isStress || isFuzz ? [.define("CHECK_INVARIANTS")] : []

/// The system's SQLite. On Apple platforms, its header is that of the SDK.
let sqlite: Target.Dependency = .target(name: "StoreSQLite")
/// SQLite for targets that need it only with the trait Files.
let sqliteForFiles: Target.Dependency = .target(
  name: "StoreSQLite", condition: .when(traits: ["Files"]))

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
  ],
  traits: [
    .default(enabledTraits: ["Files"]),
    .trait(
      name: "Files",
      description:
        "Stores in files, with the system's SQLite. Without this trait, stores are in memory only."),
  ],
  targets: [
    // Internal targets: their public API is used by our modules only.
    // C code for ObjectStore and JSONText.
    .target(name: "ObjectStoreShims"),
    .target(name: "JSONText", dependencies: ["ObjectStoreShims"], swiftSettings: strict),
    .systemLibrary(
      name: "StoreSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "StoreDatabase", dependencies: [sqliteForFiles], swiftSettings: strict),

    .target(
      name: "ObjectStore", dependencies: ["ObjectStoreShims", "JSONText", "StoreDatabase"],
      swiftSettings: strict + engineChecks),
    .target(name: "StoreCoding", dependencies: ["ObjectStore", "JSONText"], swiftSettings: strict),
    .target(name: "ValueModels", dependencies: ["ObjectStore"], swiftSettings: strict),
    .target(
      name: "StoreTesting", dependencies: ["StoreCoding", "ObjectStore", "JSONText"],
      swiftSettings: strict),
    .target(
      name: "DataSources", dependencies: ["ObjectStore", "ValueModels"], swiftSettings: strict),
    // An HTTP server on the loopback interface for the tools, the example and tests, and a REST server for the latter two;
    // not a product.
    .target(
      name: "LoopbackServer", dependencies: ["DataSources", "ObjectStore"], swiftSettings: strict),

    .executableTarget(
      name: "storecoder",
      dependencies: ["ObjectStore", "StoreCoding", "JSONText", "DataSources", "LoopbackServer"],
      resources: [.embedInCode("Page")], swiftSettings: strict),
    .executableTarget(
      name: "restaurants",
      dependencies: ["ObjectStore", "StoreCoding", "DataSources", "LoopbackServer"],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["ObjectStore", "StoreCoding"], path: "Tests/TestSupport",
      swiftSettings: tests),
    .target(
      name: "FuzzTargets",
      dependencies: ["ObjectStore", "StoreCoding", "JSONText", "StoreDatabase", "TestSupport"],
      path: "Tests/FuzzTargets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: tests),
  ]
    + (isFuzz
      ? [
        // The linker gold fails with the sections of libFuzzer.
        .executableTarget(
          name: "storefuzz", dependencies: ["FuzzTargets"], path: "Tests/storefuzz",
          swiftSettings: strict,
          linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
      ]
      : [
        .testTarget(
          name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: tests),
        .testTarget(
          name: "ObjectStoreTests",
          dependencies: ["ObjectStore", "StoreDatabase", "TestSupport", sqlite],
          sources: stressFolders, swiftSettings: tests),
        .testTarget(
          name: "StoreCodingTests", dependencies: ["StoreCoding", "ObjectStore", "TestSupport"],
          sources: stressFolders, swiftSettings: tests),
      ])
    + (isStress || isFuzz
      ? []
      : [
        // Model classes as in an app, so they are optimized like an app.
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
          dependencies: [
            "storecoder", "LoopbackServer", "DataSources", "ObjectStore", "StoreCoding", "JSONText",
            "TestSupport",
          ],
          swiftSettings: tests),
        .testTarget(
          name: "RestaurantsTests",
          dependencies: [
            "restaurants", "LoopbackServer", "StoreTesting", "DataSources", "ObjectStore",
            "TestSupport",
          ],
          swiftSettings: tests),
      ]),
  swiftLanguageModes: [.v6]
)
