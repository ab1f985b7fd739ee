// swift-tools-version: 6.2
import PackageDescription

// The benchmarks use the public API only, as an app does, and are a package of their own so that no user builds them.

/// Two modules declare the functions of SQLite, this package's and the library's, and the members of its structures belong
/// to the one that is loaded first.
let strictExceptMembers: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// The language rules of the libraries. Warnings are errors.
let strict = strictExceptMembers + [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "StoreBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "StoreCoder", path: "../..")],
  targets: [
    // On Apple platforms, SQLite's header is that of the SDK.
    .systemLibrary(
      name: "SystemSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .executableTarget(
      name: "storebench",
      dependencies: [
        .product(name: "ObjectStore", package: "StoreCoder"),
        .product(name: "StoreCoding", package: "StoreCoder"),
        "SystemSQLite",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "storestress",
      dependencies: [
        .product(name: "ObjectStore", package: "StoreCoder"),
        .product(name: "StoreCoding", package: "StoreCoder"),
        "SystemSQLite",
      ],
      swiftSettings: strictExceptMembers),
    .testTarget(name: "StorebenchTests", dependencies: ["storebench"], swiftSettings: strict),
    .testTarget(
      name: "StorestressTests",
      dependencies: ["storestress", .product(name: "ObjectStore", package: "StoreCoder")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
