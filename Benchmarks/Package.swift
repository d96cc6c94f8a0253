// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, so that the main one keeps its dependencies to itself.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "downbeat", path: "..")],
  targets: [
    .target(name: "BenchmarkHarness"),
    // A link to the main package's Tests/ClockTraces.
    .target(name: "ClockTraces"),
    .target(name: "ClockRivals", path: "Rivals/ClockRivals"),
    .executableTarget(
      name: "SyncBenchmark",
      dependencies: [
        "ClockRivals", "ClockTraces", .product(name: "ClockService", package: "downbeat"),
        .product(name: "MIDIMessages", package: "downbeat"),
        .product(name: "MusicalTime", package: "downbeat"),
      ]),
    .executableTarget(
      name: "SoundBenchmark",
      dependencies: [
        .product(name: "AudioFiles", package: "downbeat"),
        .product(name: "AudioProcessing", package: "downbeat"),
        .product(name: "AudioToolbox", package: "downbeat"),
        .product(name: "ClipPlayback", package: "downbeat"),
        .product(name: "MusicalTime", package: "downbeat"),
        .product(name: "SoundStreaming", package: "downbeat"),
      ]),
    .executableTarget(
      name: "EffectBenchmark",
      dependencies: [
        .product(name: "AudioProcessing", package: "downbeat"),
        .product(name: "LV2Units", package: "downbeat"),
        .product(name: "MusicalTime", package: "downbeat"),
        .product(name: "SpatialResponses", package: "downbeat"),
      ]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkHarness", .product(name: "AudioProcessing", package: "downbeat"),
        .product(name: "AudioToolbox", package: "downbeat"),
        .product(name: "ClipPlayback", package: "downbeat"),
        .product(name: "ClockService", package: "downbeat"),
        .product(name: "LV2Units", package: "downbeat"),
        .product(name: "MIDIMessages", package: "downbeat"),
        .product(name: "MusicSequences", package: "downbeat"),
        .product(name: "MusicalTime", package: "downbeat"),
        .product(name: "SequencePlayback", package: "downbeat"),
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
