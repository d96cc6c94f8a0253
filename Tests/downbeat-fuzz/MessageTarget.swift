// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport

/// Random parameters, controllers and SysEx messages for a sounding synth of either engine; a round is a
/// message.
struct MessageTarget: FuzzTarget {
  private static let burst = 64
  private let scene: FuzzScene
  private let rate: SampleRate
  private var synths: [Sounding] = []
  private var (messages, bursts) = (0, 0)

  /// A synth and what renders it.
  private struct Sounding {
    let instrument: InstrumentUnit
    let renderer: OfflineRenderer
    var frame: Int64 = 0
  }

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    self.rate = rate
    try scene.keep(TinySoundFont.bytes)
    for engine in InstrumentConfiguration.Engine.allCases {
      var configuration = InstrumentConfiguration(rate: rate)
      configuration.engine = engine
      do {
        let font = try SoundFont(path: scene.inputPath)
        let instrument = try InstrumentUnit(font, configuration: configuration)
        let mixer = MixerUnit(stripCount: configuration.busCount, rate: rate)
        var graph = AudioGraph()
        let (source, sum) = (graph.add(instrument), graph.add(mixer))
        for bus in 0..<mixer.stripCount {
          try graph.connect(source, output: bus, to: sum, input: bus)
        }
        try graph.setHead(sum)
        synths.append(
          Sounding(
            instrument: instrument,
            renderer: OfflineRenderer(plan: try graph.compile(), rate: rate)))
      } catch InstrumentError.libraryMissing {
        continue
      }
    }
  }

  var tally: String { "\(messages) messages to each of \(synths.count) synths" }

  mutating func attack(_ random: inout SplitMix) throws {
    messages += 1
    guard messages % Self.burst == 0 else { return }
    bursts += 1
    var (events, payloads): ([EventPayload], [UInt8]) = ([], [])
    // Long runs of one controller add up where a single one does not.
    let run: Message? = bursts / 512 % 2 == 0 ? nil : Self.parameter(98, 102, channel: 0)
    for _ in 0..<Self.burst {
      if Int.random(in: 0..<12, using: &random) == 0 {
        let bytes = Self.sysEx(&random)
        events.append(
          .sysEx(PayloadRange(offset: UInt32(payloads.count), count: UInt32(bytes.count))))
        payloads += bytes
      } else {
        events.append(
          .message(
            run.flatMap { Int.random(in: 0..<8, using: &random) > 0 ? $0 : nil }
              ?? Self.message(&random)))
      }
    }
    try scene.keep(payloads)
    for index in synths.indices {
      let frame = synths[index].frame
      let timed = events.enumerated().map { place, payload in
        TimedEvent(
          time: rate.timeRoundedUp(of: SampleTime(frames: frame + Int64(place))), payload: payload)
      }
      let count = synths[index].instrument.send(timed.span, payloads: payloads.span)
      try FuzzFault.unless(count == timed.count, "\(count) of \(timed.count) messages were taken")
      synths[index].frame += 128
      try synths[index].renderer.render(upTo: SampleTime(frames: synths[index].frame)) { _ in
        true
      } take: { _ in
      }
      // The renderer makes silence of what is no number, and counts it.
      let faulty = synths[index].renderer.faultySampleCount
      try FuzzFault.unless(faulty == 0, "\(faulty) samples that are no numbers")
    }
  }

  private static func parameter(_ number: UInt8, _ value: UInt8, channel: UInt8) -> Message {
    Message(status: 0xB0 | channel, data1: number, data2: value)
  }

  /// Mostly selections of parameters and their values; enough notes that something sounds.
  private static func message(_ random: inout SplitMix) -> Message {
    let channel = UInt8.random(in: 0..<3, using: &random)
    let value = UInt8.random(in: 0..<128, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      return Message(
        status: 0x90 | channel, data1: value, data2: UInt8.random(in: 0..<128, using: &random))
    case 2: return parameter(99, 120, channel: channel)
    case 3...4:
      let telling: [UInt8] = [100, 101, 102, 103, 0, 5, 48, 60, 61, 99, value]
      return parameter(98, telling.randomElement(using: &random) ?? 0, channel: channel)
    case 5...6: return parameter(6, value, channel: channel)
    case 7:
      let numbers: [UInt8] = [38, 96, 97, 98, 99, 100, 101, 121, 124, 125, 126, 127]
      return parameter(numbers.randomElement(using: &random) ?? 38, value, channel: channel)
    case 8: return parameter(UInt8.random(in: 0..<128, using: &random), value, channel: channel)
    default:
      let kinds: [UInt8] = [0x80, 0xA0, 0xC0, 0xD0, 0xE0]
      return Message(
        status: (kinds.randomElement(using: &random) ?? 0xE0) | channel, data1: value,
        data2: UInt8.random(in: 0..<128, using: &random))
    }
  }

  /// A message that synths know, mostly damaged, without its F0 and F7.
  private static func sysEx(_ random: inout SplitMix) -> [UInt8] {
    let known: [[UInt8]] = [
      [0x7E, 0x7F, 9, 1], [0x7E, 0x7F, 9, 3], [0x7F, 0x7F, 4, 1, 0, 100],
      [0x7F, 0x7F, 4, 3, 0, 64], [0x7F, 0x7F, 4, 4, 0, 64],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 2, 0x18],
      [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0], [0x7F, 0x7F, 8, 2, 0, 1, 60, 60, 0, 0],
      [0x7E, 0x7F, 8, 8, 3, 0x7F, 0x7F] + [UInt8](repeating: 64, count: 12),
    ]
    var bytes = known.randomElement(using: &random) ?? []
    if Bool.random(using: &random) { Mutation.damage(&bytes, &random) }
    if Int.random(in: 0..<8, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    }
    return bytes.map { $0 & 0x7F }
  }
}
