// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// An instrument with the tiny soundfont, mixed to stereo and rendered offline.
final class InstrumentRig {
  let instrument: InstrumentUnit
  let mixer: MixerUnit
  let renderer: OfflineRenderer
  let rate: SampleRate
  private let folder: ScratchFolder

  init(
    effects: Bool = false, hertz: Int = 48_000, bankMode: BankMode = .auto,
    concertPitch: Double = 440, polyphony: Int = 256, font bytes: [UInt8] = TinySoundFont.bytes,
    below: (font: [UInt8], bankOffset: Int)? = nil, programs: Set<Int>? = nil,
    workShare: Double? = nil
  ) throws {
    rate = try #require(SampleRate(hertz: hertz))
    folder = try ScratchFolder()
    try folder.write(bytes, to: "tiny.sf2")
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.engine = BothEngines.engine
    configuration.hasEffects = effects
    configuration.bankMode = bankMode
    configuration.concertPitch = concertPitch
    configuration.polyphony = polyphony
    configuration.programs = programs
    configuration.workShare = workShare
    var layers = [SoundFontLayer(try SoundFont(path: folder.path("tiny.sf2")))]
    if let below {
      try folder.write(below.font, to: "below.sf2")
      let font = try SoundFont(path: folder.path("below.sf2"))
      layers.append(SoundFontLayer(font, bankOffset: below.bankOffset))
    }
    instrument = try InstrumentUnit(layers, configuration: configuration)
    mixer = MixerUnit(stripCount: configuration.busCount, rate: rate)
    renderer = OfflineRenderer(plan: try Self.plan(instrument, mixer), rate: rate)
  }

  /// The instrument through the mixer, compiled again.
  func plan() throws -> RenderPlan { try Self.plan(instrument, mixer) }

  private static func plan(_ instrument: InstrumentUnit, _ mixer: MixerUnit) throws -> RenderPlan {
    var graph = AudioGraph()
    let source = graph.add(instrument)
    let sum = graph.add(mixer)
    for bus in 0..<mixer.stripCount {
      try graph.connect(source, output: bus, to: sum, input: bus)
    }
    try graph.setHead(sum)
    return try graph.compile()
  }

  /// Sends messages, each at a frame.
  @discardableResult
  func send(_ messages: [(frame: Int64, message: Message)]) -> Int {
    let events = messages.map { entry in
      TimedEvent(
        time: rate.timeRoundedUp(of: SampleTime(frames: entry.frame)),
        payload: .message(entry.message))
    }
    let payloads: [UInt8] = []
    return instrument.send(events.span, payloads: payloads.span)
  }

  /// Sends a SysEx message, without F0 and F7.
  func send(sysEx bytes: [UInt8], frame: Int64) {
    let place = PayloadRange(offset: 0, count: UInt32(bytes.count))
    let time = rate.timeRoundedUp(of: SampleTime(frames: frame))
    let events = [TimedEvent(time: time, payload: .sysEx(place))]
    _ = instrument.send(events.span, payloads: bytes.span)
  }

  /// Renders up to a frame; returns the left channel.
  func render(upTo frame: Int64) throws -> [Float] {
    var samples: [Float] = []
    try renderer.render(upTo: SampleTime(frames: frame)) { _ in
      true
    } take: { span in
      for index in stride(from: 0, to: span.count, by: 2) { samples.append(span[index]) }
    }
    return samples
  }
}
