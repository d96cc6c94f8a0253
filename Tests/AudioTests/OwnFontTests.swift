// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import FluidSynthInstruments
import Glibc
import MIDIMessages
import MusicalTime
import Testing

/// Our own font as FluidSynth plays it: every program is as loud as its family is to be.
@Suite struct OwnFontTests {
  private static let isLong = getenv("DOWNBEAT_LONG") != nil
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

  /// What `Documentation/Soundfont.md` holds the loudest 400 ms to, in LUFS.
  private static func target(_ program: Int) -> Double {
    switch program {
    case 115: -34.5
    case _ where short.contains(program): -31.5
    case 40...44, 48...54, 56...79: -27
    case 16...23, 80...103: -27.5
    default: -28.5
    }
  }

  @Test func `every program is within a decibel and a half of its family's loudness`() throws {
    for program in stride(from: 0, to: 128, by: Self.isLong ? 1 : 4) {
      let levels = try [48, 60, 72].map { try loudness(program, key: $0) }
      let mean = levels.reduce(0, +) / 3
      #expect(abs(mean - Self.target(program)) < 1.5, "program \(program): \(mean) LUFS")
    }
  }

  /// The loudest 400 ms of a note of 0.8 s at velocity 100.
  private func loudness(_ program: Int, key: UInt8) throws -> Double {
    let start = renderer.position.frames
    let messages: [(Int64, Message)] = [
      (0, Message(status: 0xC0, data1: UInt8(program))),
      (0, Message(status: 0x90, data1: key, data2: 100)),
      (Self.second * 8 / 10, Message(status: 0xB0, data1: 120, data2: 0)),
    ]
    let events = messages.map { frame, message in
      TimedEvent(
        time: rate.hostTimeRoundedUp(of: SampleTime(frames: start + frame)),
        payload: .message(message))
    }
    let payloads: [UInt8] = []
    #expect(instrument.send(events.span, payloads: payloads.span) == events.count)
    var left = Weighting()
    var right = Weighting()
    var power = [0.0]
    try renderer.render(upTo: start + Self.second) { _ in
      true
    } take: { span in
      for index in stride(from: 0, to: span.count - 1, by: 2) {
        let l = left.process(Double(span[index]))
        let r = right.process(Double(span[index + 1]))
        power.append(power[power.count - 1] + l * l + r * r)
      }
    }
    let width = 19_200
    let loudest = stride(from: 0, to: power.count - width, by: 480)
      .map { power[$0 + width] - power[$0] }.max()
    return -0.691 + 10 * log10((loudest ?? 0) / Double(width) + 1e-12)
  }
}

/// The two filters of ITU-R BS.1770-4, annex 1, for 48 kHz.
private struct Weighting {
  private var shelf = (0.0, 0.0)
  private var high = (0.0, 0.0)

  mutating func process(_ x: Double) -> Double {
    let y = 1.53512485958697 * x + shelf.0
    shelf.0 = -2.69169619938638 * x + 1.69065929318241 * y + shelf.1
    shelf.1 = 1.19839281085285 * x - 0.73248077421585 * y
    let z = y + high.0
    high.0 = -2 * y + 1.99004745483398 * z + high.1
    high.1 = y - 0.99007225036621 * z
    return z
  }
}
