// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport

/// Random sequences of parameters, controllers and SysEx for sounding synths of our own voices; a round
/// is a sequence.
///
/// However it is told, no voice may be louder than 12 dB above the full scale of samples, so that the sum
/// is bounded by the number of voices. Samples are of full scale, and rich in what a resonance finds.
struct LevelTarget: FuzzTarget {
  /// 12 dB above full scale, with what a float rounds.
  private static let most: Float = 4.001
  private static let crowds = [1, 1, 4, 32]

  private let scene: FuzzScene
  private let rate: SampleRate
  private var synths: [Sounding] = []
  private var (rounds, notes, loudest) = (0, 0, Float(0))

  /// A synth and what renders it.
  private struct Sounding {
    let instrument: InstrumentUnit
    let renderer: OfflineRenderer
    let polyphony: Int
    var frame: Int64 = 0
  }

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    self.rate = rate
    for (index, polyphony) in Self.crowds.enumerated() {
      try scene.keep(Self.font(index))
      var configuration = InstrumentConfiguration(rate: rate)
      configuration.engine = .downbeat
      configuration.dryBuses = .mixed
      configuration.hasEffects = false
      configuration.polyphony = polyphony
      configuration.gain = 1
      let instrument = try InstrumentUnit(
        SoundFont(path: scene.inputPath), configuration: configuration)
      var graph = AudioGraph()
      try graph.setHead(graph.add(instrument))
      synths.append(
        Sounding(
          instrument: instrument,
          renderer: OfflineRenderer(plan: try graph.compile(), rate: rate, clamps: false),
          polyphony: polyphony))
    }
  }

  var tally: String {
    let level = (loudest * 1000).rounded() / 1000
    return "\(rounds) sequences and \(notes) notes to each of \(synths.count) synths, "
      + "a voice at most \(level) of full scale"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    rounds += 1
    var (events, payloads): ([EventPayload], [UInt8]) = ([], [])
    if Int.random(in: 0..<8, using: &random) == 0 {
      payloads = LevelSequence.sysEx(&random)
      events.append(.sysEx(PayloadRange(offset: 0, count: UInt32(payloads.count))))
    } else {
      events += LevelSequence.messages(&random).map { .message($0) }
    }
    for payload in events {
      if case .message(let message) = payload, message.status & 0xF0 == 0x90 { notes += 1 }
    }
    try scene.keep(payloads)
    let quanta = [1, 1, 1, 2, 8].randomElement(using: &random) ?? 1
    for index in synths.indices { try play(events, payloads, quanta, index) }
  }

  /// Gives a synth a sequence and hears some quanta.
  private mutating func play(
    _ events: [EventPayload], _ payloads: [UInt8], _ quanta: Int, _ index: Int
  ) throws {
    let (frame, polyphony) = (synths[index].frame, synths[index].polyphony)
    let timed = events.enumerated().map { place, payload in
      TimedEvent(
        time: rate.timeRoundedUp(of: SampleTime(frames: frame + Int64(min(63, place)))),
        payload: payload)
    }
    let count = synths[index].instrument.send(timed.span, payloads: payloads.span)
    try FuzzFault.unless(count == timed.count, "\(count) of \(timed.count) messages were taken")
    synths[index].frame += Int64(64 * quanta)
    var highest: Float = 0
    try synths[index].renderer.render(upTo: SampleTime(frames: synths[index].frame)) { _ in
      true
    } take: { span in
      for place in span.indices { highest = max(highest, abs(span[place])) }
    }
    let faulty = synths[index].renderer.faultySampleCount
    try FuzzFault.unless(faulty == 0, "\(faulty) samples that are no numbers")
    let voices = synths[index].instrument.activeVoiceCount
    try FuzzFault.unless(voices <= polyphony, "\(voices) voices of \(polyphony)")
    let bound = Self.most * Float(polyphony)
    try FuzzFault.unless(
      highest <= bound, "\(polyphony) voices at \(highest) of full scale, above \(bound)")
    loudest = max(loudest, highest / Float(polyphony))
  }

  /// The tiny font with a sample of full scale: squares of some lengths, or noise.
  private static func font(_ index: Int) -> [UInt8] {
    var bytes = TinySoundFont.bytes
    let name = Array("smpl".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else {
      return bytes
    }
    var random = SplitMix(seed: UInt64(index))
    for frame in 0..<1000 {
      let isHigh =
        switch index {
        case 0: frame % 100 < 50
        case 1: frame % 10 < 5
        case 2: frame % 2 == 0
        default: Bool.random(using: &random)
        }
      let place = start + 8 + 2 * frame
      (bytes[place], bytes[place + 1]) = isHigh ? (0xFF, 0x7F) : (0, 0x80)
    }
    return bytes
  }
}
