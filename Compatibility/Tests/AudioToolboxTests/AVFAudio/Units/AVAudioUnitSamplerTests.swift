// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioFiles
import AudioProcessing
import Foundation
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

@Suite struct AVAudioUnitSamplerTests {
  private let folder: ScratchFolder
  private let font: URL

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      TinySoundFont.with([TinySoundFont.Extra(3, 7)]), to: "tiny.sf2")
    font = URL(fileURLWithPath: folder.path("tiny.sf2"))
  }

  private func sampler(_ rig: UnitRig) throws -> AVAudioUnitSampler {
    let sampler = AVAudioUnitSampler()
    try sampler.loadSoundBankInstrument(at: font, program: 0, bankMSB: 0x79, bankLSB: 0)
    rig.chain([sampler])
    return sampler
  }

  /// An instrument and its mixer as a graph.
  private func instrument() throws -> (InstrumentUnit, MixerUnit, AudioGraph) {
    var configuration = InstrumentConfiguration(rate: UnitRig.rate)
    configuration.dryBuses = .mixed
    configuration.hasEffects = false
    configuration.polyphony = 512
    let instrument = try InstrumentUnit(SoundFont(path: font.path), configuration: configuration)
    let mixer = MixerUnit(stripCount: 1, rate: UnitRig.rate)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(instrument), to: head)
    try graph.setHead(head)
    return (instrument, mixer, graph)
  }

  private func send(_ messages: [(frame: Int64, bytes: [UInt8])], to unit: InstrumentUnit) {
    let events = messages.map { frame, bytes in
      TimedEvent(
        time: UnitRig.rate.timeRoundedUp(of: SampleTime(frames: frame)),
        payload: .message(Message(status: bytes[0], data1: bytes[1], data2: bytes.last ?? 0)))
    }
    let payloads: [UInt8] = []
    _ = unit.send(events.span, payloads: payloads.span)
  }

  @Test func `A sampler that plays notes is our instrument, sample for sample`() throws {
    let rig = try UnitRig()
    let sampler = try sampler(rig)
    (sampler.overallGain, sampler.stereoPan) = (-6, 50)
    try rig.engine.start()
    sampler.startNote(60, withVelocity: 100, onChannel: 0)
    sampler.sendController(7, withValue: 90, onChannel: 1)
    sampler.startNote(67, withVelocity: 80, onChannel: 1)
    var found = try rig.render(6400)
    sampler.stopNote(60, onChannel: 0)
    sampler.sendPitchBend(93 << 7 | 96, onChannel: 1)
    found += try rig.render(6400)
    let (unit, mixer, graph) = try instrument()
    (mixer[0].pan, mixer.sum.gain) = (0.5, Float(pow(10, -6.0 / 20)))
    send(
      [
        (0, [0x90, 60, 100]), (0, [0xB1, 7, 90]), (0, [0x91, 67, 80]), (6400, [0x80, 60, 64]),
        (6400, [0xE1, 96, 93]),
      ], to: unit)
    #expect(found.contains { abs($0) > 0.001 })
    #expect(found.elementsEqual(try UnitRig.render(graph, 12_800)))
  }

  /// The pitch of key 69 after a change.
  private func pitch(_ body: (AVAudioUnitSampler) throws -> Void) throws -> Double {
    let rig = try UnitRig()
    let sampler = try sampler(rig)
    try rig.engine.start()
    try body(sampler)
    sampler.startNote(69, withVelocity: 127, onChannel: 5)
    return UnitRig.hertz(UnitRig.left(try rig.render(24_000)))
  }

  @Test func `Presets, programs and tuning change the pitch`() throws {
    #expect(abs(try pitch { _ in } - 441) < 1)
    let other = try pitch {
      try $0.loadSoundBankInstrument(at: font, program: 7, bankMSB: 3, bankLSB: 0)
    }
    #expect(abs(other - 882) < 2)
    let drums = try pitch {
      try $0.loadSoundBankInstrument(at: font, program: 0, bankMSB: 0x78, bankLSB: 0)
    }
    #expect(abs(drums - 441) < 1)
    #expect(abs(try pitch { $0.sendProgramChange(1, onChannel: 5) } - 882) < 2)
    #expect(
      abs(try pitch { $0.sendProgramChange(7, bankMSB: 3, bankLSB: 0, onChannel: 5) } - 882) < 2)
    for cents in [-1250, 50, 700] as [Float] {
      let expected = 441 * pow(2, Double(cents) / 1200)
      #expect(abs(try pitch { $0.globalTuning = cents } / expected - 1) < 0.002, "\(cents)")
    }
  }

  @Test func `Controllers that were sent before the start count`() throws {
    let (rig, loud) = (try UnitRig(), try UnitRig())
    let (sampler, other) = (try sampler(rig), try sampler(loud))
    sampler.sendController(7, withValue: 0, onChannel: 0)
    sampler.startNote(60, withVelocity: 100, onChannel: 0)
    try rig.engine.start()
    try loud.engine.start()
    for one in [sampler, other] { one.startNote(64, withVelocity: 100, onChannel: 0) }
    #expect(try rig.render(4800).allSatisfy { abs($0) < 1e-4 })
    #expect(try loud.render(4800).contains { abs($0) > 1e-3 })
    sampler.reset()
    other.reset()
    _ = try loud.render(640)
    #expect(try loud.render(640).allSatisfy { $0 == 0 })
  }

  @Test func `SysEx and messages of bytes are played`() throws {
    let rig = try UnitRig()
    let sampler = try sampler(rig)
    try rig.engine.start()
    sampler.sendMIDIEvent(0xC2, data1: 1)
    sampler.sendMIDIEvent(0x92, data1: 69, data2: 127)
    sampler.sendMIDIEvent(0xF8, data1: 0, data2: 0)
    #expect(abs(UnitRig.hertz(UnitRig.left(try rig.render(9600))) - 882) < 2)
    // Master volume 0.
    sampler.sendMIDISysExEvent(Data([0xF0, 0x7F, 0x7F, 4, 1, 0, 0, 0xF7]))
    _ = try rig.render(9600)
    #expect(try rig.render(4800).allSatisfy { abs($0) < 1e-4 })
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch { return (error as NSError).code }
  }

  @Test func `A missing file, preset or sound is an error, and the sound stays`() throws {
    let missing = URL(fileURLWithPath: folder.path("missing.sf2"))
    try folder.write(Array("not a sound".utf8), to: "text.sf2")
    let text = URL(fileURLWithPath: folder.path("text.sf2"))
    let pitch = try pitch { sampler in
      func load(_ url: URL, _ program: UInt8, _ bank: UInt8) -> Int? {
        code {
          try sampler.loadSoundBankInstrument(at: url, program: program, bankMSB: bank, bankLSB: 0)
        }
      }
      #expect(load(missing, 0, 0x79) == -43)
      #expect(load(text, 0, 0x79) == -10871)
      #expect(load(font, 0, 5) == -10851)
      #expect(load(font, 99, 0x79) == -10851)
      #expect(code { try sampler.loadInstrument(at: missing) } == -43)
      #expect(code { try sampler.loadInstrument(at: text) } == -10871)
      #expect(code { try sampler.loadAudioFiles(at: [missing]) } == -43)
      #expect(code { try sampler.loadAudioFiles(at: []) } == -10871)
    }
    #expect(abs(pitch - 441) < 1)
  }

  @Test func `The first preset of a soundfont is loaded`() throws {
    #expect(abs(try pitch { try $0.loadInstrument(at: font) } - 441) < 1)
  }

  /// Writes a tone of 24,000 frames.
  private func write(_ hertz: Double, _ name: String, key: UInt8?) throws -> URL {
    let path = folder.path(name)
    var options = SoundFileWriter.Options()
    if let key {
      var instrument = SoundFileMetadata.Instrument()
      (instrument.baseKey, instrument.keys) = (key, key - 5...key + 5)
      options.metadata.instrument = instrument
    }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: UnitRig.rate,
      options: options)
    let samples = UnitRig.left(UnitRig.tone(hertz, frames: 24_000))
    try writer.write(samples.span)
    try writer.finish()
    return URL(fileURLWithPath: path)
  }

  private func pitch(_ urls: [URL], key: UInt8) throws -> Double {
    let rig = try UnitRig()
    let sampler = AVAudioUnitSampler()
    if urls.count == 1 {
      try sampler.loadInstrument(at: urls[0])
    } else {
      try sampler.loadAudioFiles(at: urls)
    }
    rig.chain([sampler])
    try rig.engine.start()
    sampler.startNote(key, withVelocity: 127, onChannel: 0)
    return UnitRig.hertz(UnitRig.left(try rig.render(9600)))
  }

  @Test func `Sound files are played at the pitches of keys`() throws {
    let one = try write(500, "one.wav", key: nil)
    let two = try write(800, "two.wav", key: nil)
    let stated = try write(600, "stated.wav", key: 72)
    #expect(abs(try pitch([one], key: 60) - 500) < 1)
    #expect(abs(try pitch([one], key: 72) - 1000) < 2)
    #expect(abs(try pitch([stated], key: 72) - 600) < 1)
    #expect(abs(try pitch([one, two], key: 60) - 500) < 1)
    #expect(abs(try pitch([one, two], key: 61) - 800) < 2)
    #expect(try pitch([one, two], key: 62) == 0)
  }

  @Test func `Values outside of their ranges are set to the nearest`() {
    let sampler = AVAudioUnitSampler()
    #expect((sampler.overallGain, sampler.stereoPan, sampler.globalTuning) == (0, 0, 0))
    (sampler.masterGain, sampler.stereoPan, sampler.globalTuning) = (20, -300, 5000)
    #expect((sampler.overallGain, sampler.stereoPan, sampler.globalTuning) == (12, -100, 2400))
    sampler.overallGain = -.infinity
    #expect(sampler.masterGain == -90)
  }
}
