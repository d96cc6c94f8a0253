// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The lists of Documentation/CoreAudio.md, against the modules as a compiler finds them.
@Suite struct AppleNameTests {
  private static let apples = ["AVFoundation", "AudioToolbox", "CoreMIDI", "CoreMedia"]
  private static let own = [
    "ALSAAudio", "ALSAMIDI", "AudioFiles", "AudioProcessing", "ClipPlayback", "ClockService",
    "Downbeat", "MIDIMessages", "MIDIPorts", "MusicSequences", "MusicalTime", "SequencePlayback",
    "SoundFontInstruments", "SoundStreaming", "TimeStretching",
  ]

  /// The names that the modules do not have.
  private func missing(_ names: some Sequence<String>, in modules: [String]) throws -> Set<String> {
    // The last name is missing everywhere, so that a compiler that checks nothing is noticed.
    let absent = "NameThatNoModuleHas"
    let names = names.sorted() + [absent]
    let scratch = try ScratchFolder()
    let uses = names.map { name in
      // An initialiser that is not called needs its name.
      "  _ = " + name.replacing(/^([A-Z]\w*)\(/) { "\($0.1).init(" }
    }
    let lines = modules.map { "import \($0)" } + ["func use() {"] + uses
    let path = scratch.path("main.swift")
    try (lines + ["}", ""]).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let messages = try BuiltModules(of: "downbeat-fuzz").messages(of: [path])
    let first = modules.count + 2
    var missing: Set<String> = []
    for match in messages.matches(of: /main\.swift:(\d+):\d+: error: (.*)/) {
      let isAbsent = match.2.hasPrefix("cannot find") || match.2.contains(" no member ")
      // A module that does not compile would hide what is missing.
      let line = try #require(Int(match.1))
      try #require(names.indices.contains(line - first), "\(match.0)")
      if isAbsent { missing.insert(names[line - first]) }
    }
    try #require(missing.remove(absent) != nil, "\(messages)")
    return missing
  }

  @Test func `Names that are listed can be used, and those that are left out cannot`() throws {
    let listed = try DocumentedNames()
    try #require(listed.there.count > 100 && listed.leftOut.count > 5)
    let missing = try missing(listed.there.union(listed.leftOut), in: Self.apples)
    #expect(listed.there.intersection(missing).sorted() == [])
    #expect(listed.leftOut.subtracting(missing).sorted() == [])
  }

  @Test func `Names of Downbeat's own API exist`() throws {
    let listed = try DocumentedNames()
    try #require(listed.own.count > 10)
    #expect(try missing(listed.own, in: Self.own).sorted() == [])
  }

  @Test func `Every function of Apple's headers can be used, or is listed as left out`() throws {
    let functions = Set(AppleFunctions.all)
    let leftOut = try DocumentedNames().leftOut.intersection(functions)
    #expect(try missing(functions, in: Self.apples).sorted() == leftOut.sorted())
  }

  @Test func `Tables are read by their cells`() {
    let names = DocumentedNames(
      """
      | Apple's name | here | Downbeat's own API |
      |---|---|---|
      | `AudioFileClose`, `MIDIPacketList.Builder`, `kAudioFormat…` | available | `SoundFileReader` |
      | `AudioFileOptimize` and `default` | not available | – |
      """)
    #expect(names.there == ["AudioFileClose", "MIDIPacketList.Builder"])
    #expect(names.leftOut == ["AudioFileOptimize"] && names.own == ["SoundFileReader"])
  }
}
