// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClockService
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// A session with a custom instrument and a custom effect, which is awaited without polling.
@Suite(.serialized) struct OwnUnitTests {
  /// A constant step of sound for each note.
  private struct Steps: SoundKernel {
    let count: Count
    var value: Float = 0

    mutating func take(_ message: Message) {
      guard message.status & 0xF0 == 0x90, message.data2 > 0 else { return value = 0 }
      count.notes.add(1, ordering: .relaxed)
      value = 0.25
    }

    func render(_ block: SoundBlock) {
      for channel in 0..<2 {
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = value }
      }
    }
  }

  private final class Count: Sendable {
    let notes = Atomic(0)
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

  private func song() throws -> MusicSequence {
    var notes = MusicTrack()
    for tick in 0..<4 {
      try notes.insert(
        .note(Note(1, 60, velocity: 90, duration: 20)), at: Tick(Int64(tick) * 48))
    }
    notes.settings.destination = "steps"
    var curve = MusicTrack()
    try curve.insert(.parameter(ParameterEvent(parameter: 0, value: 2)), at: 10)
    try curve.insert(.parameter(ParameterEvent(parameter: 0, value: 0.5)), at: 190)
    curve.settings.destination = "gain"
    curve.settings.isAutomation = true
    var sequence = MusicSequence()
    sequence.tracks = [notes, curve]
    return sequence
  }

  @Test func `a track plays a custom instrument, another automates a custom effect`()
    async throws
  {
    let scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
    let count = Count()
    let steps = KernelUnit(Steps(count: count), name: "steps", rate: settings.rate)
    let gain = KernelUnit(
      Gain(), name: "gain", inputs: [2], outputs: [2],
      parameters: [Parameter("gain", .factor, 0...4, initially: 1)], rate: settings.rate)
    let session = try Session(song(), settings: settings, instruments: [steps])
    try session.addEffect(gain, behind: steps)
    #expect(session.graph.node(of: gain) != nil && session.strip(of: steps) == 1)
    let heard = Mutex<[Float]>([])
    gain.parameters.observe { _, value in heard.withLock { $0.append(value) } }
    let output = NullOutputUnit(format: AudioFormat(rate: settings.rate, channelCount: 2))
    let playback = try session.play(on: output)
    try await playback.waitUntilFinished()
    gain.parameters.tellObservers()
    #expect(count.notes.load(ordering: .relaxed) == 4)
    #expect(gain.parameters[0] == 0.5 && heard.withLock { $0 } == [0.5])
  }

  @Test func `a playback is controlled and queried without waiting for the clock`() async throws {
    let struck = Mutex<[HostTime]>([])
    let lamp = try DueSink { event in
      if case .message(let message) = event.content, message.isStrike {
        struck.withLock { $0.append(event.time) }
      }
    }
    var song = try song()
    song.tracks.removeLast()
    song.tracks[0].settings.destination = "lamp"
    var options = PlaybackOptions()
    options.startsAtOnce = false
    let playback = try Playback(
      song, on: [PlaybackPort(name: "lamp", sink: lamp)], options: options)
    try await playback.setPlayRate(1.5).effect()
    try await playback.setTransposition(2).effect()
    try await playback.locate(to: .ticks(48.5)).effect()
    #expect(try playback.ticks() == 48.5)
    let bar = try playback.value(in: .ticks, rounding: .floor)
    #expect(!bar.isExact && bar.residue == 0.5)
    #expect(playback.playRate == 1.5 && playback.tempo == nil && playback.loop == nil)
    #expect(playback.transposition == 2 && playback.heardChannels == .max)
    #expect(try playback.transform(of: "lamp").transposition == 2)
    try await playback.start().effect()
    // On a busy machine, the playback may already be over.
    #expect(playback.isRunning || playback.hasFinished)
    try await playback.waitUntilFinished()
    let times = struck.withLock { $0 }
    // Two notes remain: 48 ticks of 480 at 180 quarter notes per minute, which are 33⅓ ms.
    #expect(times.count == 2 && abs((times[1] - times[0]) / .milliseconds(1) - 33.333) < 0.001)
  }
}

extension Message {
  fileprivate var isStrike: Bool { status & 0xF0 == 0x90 && data2 > 0 }
}
