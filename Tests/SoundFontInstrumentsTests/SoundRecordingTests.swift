// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

@Suite struct SoundRecordingTests {
  private let rate = SampleRate.hertz48000

  private func tone(_ hertz: Double, frames: Int, channels: Int = 1) -> SoundRecording {
    let samples = (0..<frames * channels).map { index in
      index % channels == 1
        ? 0 : Float(0.5 * sin(2 * Double.pi * hertz * Double(index / channels) / 48_000))
    }
    return SoundRecording(name: "tone", samples: samples, channelCount: channels, rate: rate)
  }

  /// The left and right samples of a key that is held.
  private func play(
    _ recordings: [SoundRecording], key: UInt8, frames: Int
  ) throws -> (left: [Float], right: [Float]) {
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.dryBuses = .mixed
    configuration.hasEffects = false
    let instrument = try InstrumentUnit(
      SoundFont(name: "recordings", recordings: recordings), configuration: configuration)
    var graph = AudioGraph()
    try graph.setHead(graph.add(instrument))
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
    let note = Message(status: 0x90, data1: key, data2: 127)
    let events = [TimedEvent(time: rate.timeRoundedUp(of: .zero), payload: .message(note))]
    let payloads: [UInt8] = []
    _ = instrument.send(events.span, payloads: payloads.span)
    var samples: [Float] = []
    try renderer.render(upTo: SampleTime(frames: Int64(frames)), prepare: { _ in true }) { span in
      samples += span.indices.map { span[$0] }
    }
    let sides = (0..<2).map { side in stride(from: side, to: samples.count, by: 2) }
    return (sides[0].map { samples[$0] }, sides[1].map { samples[$0] })
  }

  /// The frequency of a tone, by its rising zero crossings.
  private func hertz(_ samples: some Sequence<Float>) -> Double {
    let samples = Array(samples)
    let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) * 48_000 / Double(last - first)
  }

  @Test func `A recording has its own pitch at its key, and a higher one above`() throws {
    var recording = tone(440, frames: 48_000)
    recording.key = 69
    #expect(abs(hertz(try play([recording], key: 69, frames: 20_000).left) - 440) < 0.5)
    #expect(abs(hertz(try play([recording], key: 81, frames: 20_000).left) - 880) < 1)
    recording.cents = 50
    let raised = 440 * pow(2, 50.0 / 1200)
    #expect(abs(hertz(try play([recording], key: 69, frames: 20_000).left) - raised) < 1)
  }

  @Test func `A loop sounds while the key is held; without one the sound ends`() throws {
    var recording = tone(480, frames: 4800)
    let once = try play([recording], key: 60, frames: 20_000).left
    #expect(once.prefix(4000).contains { abs($0) > 0.05 })
    #expect(once.suffix(10_000).allSatisfy { abs($0) < 1e-4 })
    recording.loop = 1000..<2000
    let held = try play([recording], key: 60, frames: 20_000).left.suffix(10_000)
    #expect(held.contains { abs($0) > 0.05 } && abs(hertz(held) - 480) < 0.5)
  }

  @Test func `Keys select recordings, and channels are sides`() throws {
    var (low, high) = (tone(300, frames: 9600), tone(1200, frames: 9600, channels: 2))
    (low.keys, high.keys) = (0...59, 60...127)
    (low.key, high.key) = (48, 72)
    #expect(abs(hertz(try play([low, high], key: 48, frames: 9000).left) - 300) < 1)
    let (left, right) = try play([low, high], key: 72, frames: 9000)
    #expect(abs(hertz(left) - 1200) < 2)
    #expect(right.allSatisfy { abs($0) < 1e-5 })
  }

  @Test func `Recordings that a soundfont cannot contain are refused`() {
    let empty = SoundRecording(name: "none", samples: [], channelCount: 1, rate: rate)
    for recordings in [[], [empty]] {
      #expect(throws: InstrumentError.self) {
        try SoundFont(name: "recordings", recordings: recordings)
      }
    }
  }
}
