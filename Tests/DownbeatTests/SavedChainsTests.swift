// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Instruments, effects and buses of tracks as values, as documents and as stems.
@Suite struct SavedChainsTests {
  private static func chain(_ texts: String...) throws -> SavedGraph {
    try EffectCatalogue.standard.chain(texts, rate: .hertz48000)
  }

  private static func chains() throws -> SavedChains {
    SavedChains(
      effects: try chain("equaliser low=3dB"),
      instrument: SavedGraph.Unit("organ", UnitSetup("organ", ["stops": .words(["8", "4"])])),
      groups: [
        SavedChains.Group(
          "2,3", instrument: SavedGraph.Unit("piano", UnitSetup("piano"), parameters: ["lid": 0.1]),
          effects: try chain("delay", "chorus"),
          sends: [SavedChains.Send(to: "hall", gain: 0.3), SavedChains.Send(to: "room")]),
        SavedChains.Group("basso \"continuo\""),
      ],
      buses: [
        SavedChains.Bus("hall", try chain("reverb")), SavedChains.Bus("room", try chain("gate")),
      ])
  }

  @Test func `chains are read as they were written, and a graph's document is the same`() throws {
    let chains = try Self.chains()
    #expect(try SavedChains(Array(chains.text.utf8)) == chains)
    #expect(chains.units.map(\.setup.kind).filter { $0 != "inlet" }.count == 7)
    #expect(!chains.areOfTheWhole && SavedChains(effects: chains.effects).areOfTheWhole)
    let whole = try #require(chains.effects)
    #expect(SavedChains(effects: whole).text == whole.text)
    #expect(try SavedChains(Array(SavedChains().text.utf8)) == SavedChains())
    #expect(throws: GraphError.self) { try SavedGraph(Array(chains.text.utf8)) }
  }

  /// A song of two tracks with a note of a quarter of a second each.
  private static func song() throws -> MusicSequence {
    var song = MusicSequence()
    for (channel, name) in [(1, nil), (2, "late")] as [(Channel, String?)] {
      var track = MusicTrack()
      try track.insert(.note(Note(channel, 69, velocity: 100, duration: 240)), at: 0)
      track.settings.destination = name
      song.tracks.append(track)
    }
    return song
  }

  /// The saturation delays the second instrument by 32 frames, and a limiter delays its bus
  /// further.
  @Test(arguments: StemChoice.allCases)
  func `stems of instruments with latency add up to the mix`(choice: StemChoice) throws {
    let scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    var settings = SessionSettings(soundFont: font, gain: 0.5)
    settings.buses = [
      SessionSettings.SendBus(
        "hall", try Self.chain("limiter", "delay time=0.01 mix=1"),
        sends: [SessionSettings.SendBus.Send("late", gain: 0.5)])
    ]
    settings.effects = try Self.chain("delay time=0.05 mix=0.3")
    let song = try Self.song()
    func late() throws -> TrackInstrument {
      try TrackInstrument(
        "late", playing: [1], of: song, settings, effects: Self.chain("saturation drive=6dB"))
    }
    var mix: [Float] = []
    try SongRenderer(song, settings: settings, instruments: [late()]).render(limiting: false) {
      samples, _ in
      for index in samples.indices { mix.append(samples[index]) }
      return true
    }
    let renderer = try StemRenderer(song, by: choice, settings: settings, instruments: [late()])
    #expect(renderer.stems.map(\.source).contains(.bus("hall")))
    var stems = [[Float]](repeating: [], count: renderer.stems.count)
    let report = try renderer.render { stem, samples, _ in
      for index in samples.indices { stems[stem].append(samples[index]) }
      return true
    }
    #expect(Int(report.frameCount) * 2 == mix.count && report.faultyUnits.isEmpty)
    #expect(stems.allSatisfy { $0.count == mix.count })
    // The soundfont of the test does not send to reverb and chorus.
    #expect(stems.dropLast().allSatisfy { $0.contains { abs($0) > 1e-4 } })
    #expect(mix.contains { abs($0) > 0.01 })
    for index in mix.indices where abs(stems.reduce(0) { $0 + $1[index] } - mix[index]) > 1e-6 {
      Issue.record("frame \(index / 2): the stems do not add up")
      break
    }
  }
}
