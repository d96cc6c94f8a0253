// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Custom instruments and effects in renderings, in stems, and in real time.
@Suite struct OwnUnitRenderTests {
  /// A constant level while a note is held: a quarter, or the value of the state.
  private final class Steps: PlayableUnit, StatefulUnit, @unchecked Sendable {
    // Unchecked: the state is set before rendering.
    private struct Kernel: SoundKernel {
      var level: Float
      var value: Float = 0

      mutating func take(_ message: Message) {
        if message.status & 0xF0 == 0x90 { value = message.data2 > 0 ? level : 0 }
        if message.status & 0xF0 == 0x80 { value = 0 }
      }

      func render(_ block: SoundBlock) {
        for channel in 0..<2 {
          var output = block.output(channel)
          for frame in 0..<block.frameCount { output[frame] = value }
        }
      }
    }

    let name: String
    private var unit: KernelUnit
    private var level: Float

    init(_ name: String, level: Float = 0.25) {
      self.name = name
      self.level = level
      unit = KernelUnit(Kernel(level: level), name: name, rate: .hertz48000)
    }

    var inputChannelCounts: [Int] { [] }
    var outputChannelCounts: [Int] { unit.outputChannelCounts }
    var rate: SampleRate? { unit.rate }
    var step: RenderStep { unit.step }
    var isSilent: Bool { unit.isSilent }

    func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
      unit.send(events, payloads: payloads)
    }

    func cancel(from time: ReferenceTime) { unit.cancel(from: time) }

    func state() -> [UInt8] { [UInt8(level * 100)] }

    func restore(_ state: [UInt8]) throws {
      guard let percent = state.first else { throw SequenceError.outOfRange("no level") }
      level = Float(percent) / 100
      unit = KernelUnit(Kernel(level: level), name: name, rate: .hertz48000)
    }
  }

  private struct Gain: SoundKernel {
    func render(_ block: SoundBlock) {
      let gain = block.curve(of: 0)
      for channel in 0..<2 {
        let input = block.input(channel)
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = input[frame] * gain[frame] }
      }
    }
  }

  private static func gain(_ name: String, _ value: Float) -> KernelUnit {
    KernelUnit(
      Gain(), name: name, inputs: [2], outputs: [2],
      parameters: [Parameter("gain", .factor, 0...4, initially: value)], rate: .hertz48000)
  }

  private struct Constant: SoundKernel {
    func render(_ block: SoundBlock) {
      for channel in 0..<2 {
        let input = block.input(channel)
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = input[frame] + 0.125 }
      }
    }
  }

  /// A track with two notes of half a second and a pause of half a second between them, at 120
  /// quarter notes per minute.
  private static func track(to destination: String?) throws -> MusicTrack {
    var track = MusicTrack()
    for tick in [0, 960] as [Int64] {
      try track.insert(.note(Note(1, 60, velocity: 100, duration: 480)), at: Tick(tick))
    }
    track.settings.destination = destination
    return track
  }

  private static func song(_ tracks: MusicTrack...) -> MusicSequence {
    var song = MusicSequence()
    song.tracks = tracks
    return song
  }

  private let settings = SessionSettings(rate: .hertz48000)

  /// The left channel.
  private func samples(_ renderer: SongRenderer) throws -> [Float] {
    var samples: [Float] = []
    try renderer.render(limiting: false) { part, _ in
      for index in stride(from: 0, to: part.count, by: 2) { samples.append(part[index]) }
      return true
    }
    return samples
  }

  @Test func `a custom instrument renders a song without a soundfont`() throws {
    let song = try Self.song(Self.track(to: nil))
    let renderer = try SongRenderer(song, settings: settings, instruments: [Steps("steps")])
    renderer.tail = .exact
    let heard = try samples(renderer)
    #expect(heard.count == 72_000)
    #expect(heard[..<24_000].allSatisfy { $0 == 0.25 })
    #expect(heard[24_064..<48_000].allSatisfy { $0 == 0 })
    #expect(heard[48_064..<72_000].allSatisfy { $0 == 0.25 })
  }

  @Test func `tracks play on the named instrument, without a change of the synthesiser`() throws {
    let scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
    let alone = try samples(SongRenderer(Self.song(Self.track(to: nil)), settings: settings))
    let song = try Self.song(Self.track(to: nil), Self.track(to: "steps"))
    let renderer = try SongRenderer(song, settings: settings, instruments: [Steps("steps")])
    let both = try samples(renderer)
    #expect(both.count == alone.count)
    let added = zip(both, alone).dropFirst(100).prefix(19_900).map { $0 - $1 }
    #expect(added.allSatisfy { abs($0 - 0.25) < 1e-6 })
    // The result does not depend on the number of threads.
    let one = try SongRenderer(
      song, settings: settings, instruments: [Steps("steps")], threadCount: 1)
    #expect(try samples(one) == both)
  }

  @Test func `effects are in the order of their addition, and tracks automate them`() throws {
    var curve = MusicTrack()
    try curve.insert(.parameter(ParameterEvent(parameter: 0, value: 0.5)), at: 480)
    curve.settings.destination = "half"
    curve.settings.isAutomation = true
    let song = try Self.song(Self.track(to: nil), curve)
    let steps = Steps("steps")
    let renderer = try SongRenderer(song, settings: settings, instruments: [steps])
    renderer.tail = .exact
    try renderer.addEffect(Self.gain("half", 2), behind: steps)
    try renderer.addEffect(
      KernelUnit(
        Constant(), name: "constant", inputs: [2], outputs: [2], rate: .hertz48000), behind: steps)
    try renderer.addEffect(Self.gain("whole", 0.5))
    #expect(throws: GraphError.noSuchNode) {
      try renderer.addEffect(Self.gain("lost", 1), behind: Steps("other"))
    }
    #expect(try renderer.graph().nodes.count == 6)
    let heard = try samples(renderer)
    #expect(heard[100..<23_900].allSatisfy { abs($0 - (0.25 * 2 + 0.125) * 0.5) < 1e-6 })
    #expect(heard[50_000..<72_000].allSatisfy { abs($0 - (0.25 * 0.5 + 0.125) * 0.5) < 1e-6 })
  }

  private struct Broken: SoundKernel {
    func render(_ block: SoundBlock) {
      var output = block.output(0)
      for frame in 0..<block.frameCount { output[frame] = .nan }
    }
  }

  @Test func `a unit that outputs NaN is silenced and named`() throws {
    let renderer = try SongRenderer(
      Self.song(Self.track(to: nil)), settings: settings, instruments: [Steps("steps")])
    renderer.tail = .exact
    try renderer.addEffect(Self.gain("whole", 1))
    try renderer.addEffect(
      KernelUnit(Broken(), name: "broken", inputs: [2], outputs: [2], rate: .hertz48000))
    let report = try renderer.render { part, _ in
      #expect(part.count > 0 && part[0] == 0)
      return true
    }
    #expect(report.faultyUnits == ["broken"] && report.faultySampleCount >= 72_000)
  }

  @Test func `a custom instrument has a stem`() throws {
    let scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
    let song = try Self.song(Self.track(to: nil), Self.track(to: "steps"))
    for choice in StemChoice.allCases {
      let renderer = try StemRenderer(
        song, by: choice, settings: settings, instruments: [Steps("steps")])
      #expect(renderer.stems.map(\.source).last == .instrument("steps"))
      var sums = [Float](repeating: 0, count: renderer.stems.count)
      try renderer.render { stem, samples, _ in
        for index in samples.indices { sums[stem] += abs(samples[index]) }
        return true
      }
      #expect(sums.allSatisfy { $0 > 10 } && sums.count == 2)
    }
  }

  @Test func `a track's state is set before the first frame, and is kept in a file`() throws {
    var song = try Self.song(Self.track(to: "steps"))
    song.tracks[0].settings.unitState = [50]
    let read = try SMFReader().read(SMFWriter().write(song)).sequences[0]
    #expect(read.tracks[0].settings == song.tracks[0].settings)
    let renderer = try SongRenderer(read, settings: settings, instruments: [Steps("steps")])
    #expect(try samples(renderer)[1000] == 0.5)
    #expect(throws: PlaybackError.noState(unit: "steps", track: 0)) {
      let other = KernelUnit(Constant(), name: "steps", rate: .hertz48000)
      _ = try samples(SongRenderer(song, settings: settings, instruments: [other]))
    }
    song.tracks[0].settings.unitState = []
    song.tracks[0].settings.destination = nil
    song.tracks[0].settings.unitState = [1]
    let session = try Session(song, settings: settings, instruments: [Steps("steps")])
    #expect(throws: PlaybackError.noState(unit: nil, track: 0)) {
      let format = AudioFormat(rate: settings.rate, channelCount: 2)
      _ = try session.play(on: NullOutputUnit(format: format))
    }
  }

  @Test func `a session without a soundfont plays a custom instrument`() async throws {
    let steps = Steps("steps")
    let session = try Session(
      Self.song(Self.track(to: nil)), settings: settings, instruments: [steps])
    #expect(session.channelLevels.isEmpty && session.voiceCount == 0)
    try session.addEffect(Self.gain("first", 1))
    try session.addEffect(Self.gain("second", 1))
    let output = NullOutputUnit(format: AudioFormat(rate: settings.rate, channelCount: 2))
    var options = PlaybackOptions()
    options.playRate = 16
    let playback = try session.play(on: output, options: options)
    try await playback.waitUntilFinished()
    #expect(session.level.left.maximum > 0.2)
  }

  @Test func `a custom instrument is played in real time, through effects`() async throws {
    let output = NullOutputUnit(format: AudioFormat(rate: .hertz48000, channelCount: 2))
    let instrument = try LiveInstrument(Steps("steps"), on: output)
    defer { instrument.end() }
    try instrument.addEffect(Self.gain("double", 2))
    #expect(instrument.graph.nodes.count == 4)
    var heard: HostTime?
    try await wait {
      try instrument.play(HostEventBuffer())
      heard = try instrument.send(.noteOn(1, 60, velocity: 100))
      return heard != nil
    }
    let time = try #require(heard)
    try await Task.sleep(until: time, clock: .host)
    await wait { instrument.level.left.maximum > 0.24 }
    // The mixer measures the sound before the effect.
    #expect(abs(instrument.level.left.maximum - 0.25) < 1e-3)
  }
}
