// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "downbeat-soundfont",
  targets: [
    .target(name: "SoundfontGenerator"),
    .executableTarget(name: "downbeat-soundfont", dependencies: ["SoundfontGenerator"]),
    .testTarget(name: "SoundfontGeneratorTests", dependencies: ["SoundfontGenerator"]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
