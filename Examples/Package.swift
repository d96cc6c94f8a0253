// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Programs of one file each, which you can copy. Run one from this folder:
// swift run -c release Player SONG FONT

/// A program and the modules that it imports.
func example(_ name: String, _ modules: String...) -> Target {
  .executableTarget(
    name: name, dependencies: modules.map { .product(name: $0, package: "downbeat") },
    path: name)
}

let package = Package(
  name: "downbeat-examples",
  dependencies: [
    .package(name: "downbeat", path: "..", traits: [])
  ],
  targets: [
    example("Player", "ALSAAudio", "ClockService", "Downbeat", "MusicSequences", "MusicalTime"),
    example("RemotePlayer", "ALSAAudio", "Downbeat", "MusicSequences", "PlayerControl"),
    example(
      "Metronome", "ALSAAudio", "ALSAMIDI", "ClockService", "Downbeat", "MIDIPorts",
      "MusicSequences", "MusicalTime", "SequencePlayback"),
    example("Clock", "ClockService", "MusicalTime"),
    example(
      "Sequencer", "ALSAAudio", "ClockService", "Downbeat", "MIDIMessages", "MusicSequences",
      "MusicalTime"),
    example("LiveGraph", "ALSAAudio", "AudioProcessing", "MusicalTime"),
    example("TimeCalculator", "MusicalTime"),
    example("SamplerPad", "ALSAAudio", "AudioProcessing", "ClipPlayback"),
    example("StemRenderer", "AudioFiles", "Downbeat", "MusicSequences", "MusicalTime"),
    example("Karaoke", "ALSAAudio", "Downbeat", "MusicSequences", "MusicalTime"),
  ]
)
