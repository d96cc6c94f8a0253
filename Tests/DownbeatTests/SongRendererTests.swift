// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Rendering with the Swift interface: lengths, positions, samples, and the report.
@Suite struct SongRendererTests {
  private let scratch: ScratchFolder
  private let settings: SessionSettings

  init() throws {
    scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
  }

  /// Eight notes of a quarter of a second.
  ///
  /// The fifth starts at a marker.
  private func song(program: UInt8 = 0) throws -> MusicSequence {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, program])]
    for index in 0..<8 {
      if index == 4 { events.append((120, [0xFF, 0x06, 1, 0x42])) }
      events.append(([0, 4].contains(index) ? 0 : 120, [0x90, 60, 100]))
      events.append((120, [0x80, 60, 64]))
    }
    return try SMFReader().read(SongBytes.file(events)).sequences[0]
  }

  private func samples(_ renderer: SongRenderer) throws -> ([Float], RenderReport) {
    var samples: [Float] = []
    let report = try renderer.render { part, _ in
      for index in part.indices { samples.append(part[index]) }
      return true
    }
    return (samples, report)
  }

  @Test func `the length of a song is that of its longest track`() throws {
    let renderer = try SongRenderer(try song(), settings: settings)
    renderer.tail = .exact
    // The last of the eight notes ends half an interval before the next one would start.
    #expect(try renderer.length().frames == 15 * 48_000 / 8)
    let (samples, report) = try samples(renderer)
    #expect(report.frameCount == 15 * 48_000 / 8)
    #expect(samples.count == 2 * Int(report.frameCount))
    #expect(report.faultySampleCount == 0)
    #expect(samples.contains { abs($0) > 0.01 })
  }

  @Test(arguments: [0, 1920])
  func `a song with one note of length 0 is audible`(end: Int) throws {
    let events: [(delta: Int, bytes: [UInt8])] = [
      (0, [0x90, 60, 100]), (0, [0x80, 60, 64]), (end, [0xFF, 0x01, 1, 0x41]),
    ]
    let song = try SMFReader().read(SongBytes.file(events)).sequences[0]
    let (samples, _) = try samples(SongRenderer(song, settings: settings))
    #expect(samples.contains { abs($0) > 0.01 })
  }

  @Test(arguments: InstrumentConfiguration.Engine.allCases)
  func `the samples do not depend on the number of threads`(
    engine: InstrumentConfiguration.Engine
  ) throws {
    var settings = settings
    settings.engine = engine
    let one = try samples(SongRenderer(song(), settings: settings, threadCount: 1))
    let three = try samples(SongRenderer(song(), settings: settings, threadCount: 3))
    #expect(one == three)
  }

  @Test func `double speed halves the length, and a loop is repeated as set`() throws {
    var options = PlaybackOptions()
    options.playRate = 2
    let fast = try SongRenderer(try song(), settings: settings, options: options)
    #expect(try fast.length().frames == 15 * 48_000 / 16)
    options.playRate = 1
    options.loop = LoopRange(start: .zero, end: Tick(960), count: 3)
    let looped = try SongRenderer(try song(), settings: settings, options: options)
    #expect(try looped.length().frames == 2 * 48_000 + 15 * 48_000 / 8)
  }

  @Test func `markers are at the positions at which they are audible`() throws {
    let renderer = try SongRenderer(try song(), settings: settings)
    let markers = try renderer.markers()
    #expect(markers.map(\.position) == [SampleTime(frames: 48_000)])
    var options = PlaybackOptions()
    options.start = Tick(480)
    let later = try SongRenderer(try song(), settings: settings, options: options)
    #expect(try later.markers().map(\.position) == [SampleTime(frames: 24_000)])
  }

  @Test func `a song that is too loud is limited, unless limiting is off`() throws {
    var loud = settings
    loud.gain = 100
    let (limited, report) = try samples(SongRenderer(song(), settings: loud))
    #expect(report.limitedFrameCount > 0)
    #expect(report.lowestGain < 0.5)
    #expect(limited.allSatisfy { abs($0) < 0.9 })
    var peak: Float = 0
    try SongRenderer(song(), settings: loud).render(limiting: false) { part, _ in
      for index in part.indices { peak = max(peak, abs(part[index])) }
      return true
    }
    #expect(peak > 2)
  }

  @Test func `the closure can end the rendering, and gets the progress`() throws {
    let renderer = try SongRenderer(try song(), settings: settings)
    var (calls, last) = (0, -1.0)
    try renderer.render { _, done in
      calls += 1
      #expect(done >= last && done <= 1)
      last = done
      return calls < 5
    }
    #expect(calls == 5)
    #expect(last > 0)
  }

  @Test func `a song that is ended early releases its notes, and its tail follows`() throws {
    let renderer = try SongRenderer(try song(), settings: settings)
    renderer.endFrame = 24_000
    renderer.tail = .none
    let (_, report) = try samples(renderer)
    #expect(report.frameCount < 26_000)
  }

  @Test func `programs that are missing in all soundfonts are named`() throws {
    let renderer = try SongRenderer(try song(program: 40), settings: settings)
    #expect(renderer.missingPresets.map(\.program) == [40])
    #expect(try SongRenderer(try song(), settings: settings).missingPresets.isEmpty)
  }

  @Test func `a missing soundfont is an error that names it`() throws {
    let nowhere = SessionSettings(soundFont: scratch.path("none.sf2"))
    let error = #expect(throws: (any Error).self) {
      try SongRenderer(try song(), settings: nowhere)
    }
    #expect("\(try #require(error))".contains("none.sf2"))
  }
}
