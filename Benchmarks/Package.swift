// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, so that the main one keeps its dependencies to itself.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "downbeat", path: "..")],
  targets: [
    .target(name: "BenchmarkHarness"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkHarness", .product(name: "MIDIMessages", package: "downbeat"),
        .product(name: "MusicSequences", package: "downbeat"),
        .product(name: "MusicalTime", package: "downbeat"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
