// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Downbeat's soundfont played by FluidSynth: every program has the loudness of its family.
@Suite struct OwnFontTests {
  private static let isLong = unsafe getenv("DOWNBEAT_LONG") != nil
  private static let second: Int64 = 48_000
  private static let short: Set<Int> = [13, 106, 113, 116, 117, 118, 127]

  private let instrument: InstrumentUnit
  private let renderer: OfflineRenderer
  private let rate: SampleRate

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    rate = try #require(SampleRate(hertz: 48_000))
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.hasEffects = false
    configuration.dryBuses = .mixed
    configuration.gain = 0.5
    instrument = try InstrumentUnit(
      SoundFont(path: "/\(root)/Soundfonts/Downbeat.sf2"), configuration: configuration)
    var graph = AudioGraph()
    let source = graph.add(instrument)
    let sum = graph.add(MixerUnit(stripCount: 1, rate: rate))
    try graph.connect(source, output: 0, to: sum, input: 0)
    try graph.setHead(sum)
    renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
  }

  /// The loudest 400 ms required by `Documentation/Soundfont.md`, in LUFS.
  private static func target(_ program: Int) -> Double {
    switch program {
    case 115: -35
    case _ where short.contains(program): -32
    case 40...44, 48...54, 56...79: -27.5
    case 16...23, 80...103: -28
    default: -29
    }
  }

  @Test func `every program is within 1.5 decibels of its family's loudness`() throws {
    for program in stride(from: 0, to: 128, by: Self.isLong ? 1 : 4) {
      let levels = try [48, 60, 72].map { try loudness(program, key: $0) }
      let mean = levels.reduce(0, +) / 3
      #expect(abs(mean - Self.target(program)) < 1.5, "program \(program): \(mean) LUFS")
    }
  }

  /// The loudest 400 ms of a note of 1.5 s at velocity 100; some notes swell for most of a second.
  private func loudness(_ program: Int, key: UInt8) throws -> Double {
    let start = renderer.position.frames
    let messages: [(Int64, Message)] = [
      (0, Message(status: 0xC0, data1: UInt8(program))),
      (0, Message(status: 0x90, data1: key, data2: 100)),
      (Self.second * 3 / 2, Message(status: 0xB0, data1: 120, data2: 0)),
    ]
    let events = messages.map { frame, message in
      TimedEvent(
        time: rate.timeRoundedUp(of: SampleTime(frames: start + frame)),
        payload: .message(message))
    }
    let payloads: [UInt8] = []
    #expect(instrument.send(events.span, payloads: payloads.span) == events.count)
    var channels: [[Float]] = [[], []]
    try renderer.render(upTo: SampleTime(frames: start + Self.second * 3 / 2)) { _ in
      true
    } take: { span in
      for index in span.indices { channels[index % 2].append(span[index]) }
    }
    return LoudnessWitness(channels).momentary
  }
}
