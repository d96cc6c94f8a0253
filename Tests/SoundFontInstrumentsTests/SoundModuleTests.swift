// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import Testing

/// Features of an instrument that FluidSynth 2.3 alone lacks, checked by a note's pitch and level:
/// key 69 of the tiny soundfont sounds at 441 Hz.
@Suite(.bothEngines) struct SoundModuleTests {
  private static let channel = Channel(index: 0)
  private static let note = Message.noteOn(channel, Key(69), velocity: 100)

  /// True if the next half second is tuned to some cents from 441 Hz, within 0.2 cents;
  /// FluidSynth's step is one cent.
  private static func isTuned(_ rig: InstrumentRig, to expected: Double) throws -> Bool {
    let samples = try rig.render(upTo: rig.renderer.position.frames + 24_000)
    let heard = 1200 * log2(try #require(samples.pitch(hertz: 48_000)) / 441)
    return abs(heard - expected) < (BothEngines.engine == .fluidSynth ? 1.05 : 0.2)
  }

  private static func parameter(_ number: UInt8, _ coarse: UInt8, _ fine: UInt8) -> [Message] {
    [(101, 0), (100, number), (6, coarse), (38, fine)].map {
      .control(channel, Controller($0.0), value: $0.1)
    }
  }

  private static func roland(_ body: [UInt8]) -> [UInt8] {
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  @Test(arguments: [415.0, 432, 440, 442, 466])
  func `concert pitch tunes every melodic channel but not the drums`(hertz: Double) throws {
    let rig = try InstrumentRig(concertPitch: hertz)
    rig.send([(0, Self.note)])
    #expect(try Self.isTuned(rig, to: 1200 * log2(hertz / 440)))
    let drums = try InstrumentRig(concertPitch: hertz)
    drums.send([(0, .noteOn(.percussion, Key(69), velocity: 100))])
    #expect(try Self.isTuned(drums, to: 0))
  }

  /// RPN 0 is in semitones and cents; FluidSynth alone ignores the cents.
  @Test(arguments: [(2, 0), (12, 0), (0, 50), (2, 33), (23, 99)] as [(UInt8, UInt8)])
  func `a bend range has cents`(semitones: UInt8, cents: UInt8) throws {
    let rig = try InstrumentRig()
    let messages = Self.parameter(0, semitones, cents) + [.bend(Self.channel, 12_288), Self.note]
    rig.send(messages.map { (0, $0) })
    #expect(try Self.isTuned(rig, to: (Double(semitones) * 100 + Double(cents)) / 2))
  }

  /// RPN 1: 14 bits for ±100 cents, the lower byte last, as most senders do.
  @Test(arguments: [(64, 0, 0), (96, 0, 50), (32, 0, -50), (64, 127, 1.55), (0, 0, -100)])
  func `fine tuning reads both bytes`(coarse: Int, fine: Int, cents: Double) throws {
    let rig = try InstrumentRig()
    let messages = Self.parameter(1, UInt8(coarse), UInt8(fine)) + [Self.note]
    rig.send(messages.map { (0, $0) })
    #expect(try Self.isTuned(rig, to: cents))
  }

  @Test func `coarse tuning moves by semitones`() throws {
    let rig = try InstrumentRig()
    rig.send((Self.parameter(2, 67, 0) + [Self.note]).map { (0, $0) })
    #expect(try Self.isTuned(rig, to: 300))
  }

  @Test(
    arguments: [
      // Universal: fine by 8192 steps of 100 cents, coarse by semitones.
      ([0x7F, 0x7F, 0x04, 0x03, 0x00, 0x60], 50.0),
      ([0x7F, 0x7F, 0x04, 0x04, 0x00, 0x3D], -300),
      // GS: tenths of cents in four nibbles from 0400, key shift from 40.
      (roland([0x40, 0, 0, 0, 5, 2, 12]), 30),
      (roland([0x40, 0, 0, 0, 5, 2, 15]), 30.3),
      (roland([0x40, 0, 5, 0x42]), 200),
      // XG.
      ([0x43, 0x10, 0x4C, 0, 0, 0, 0, 2, 13, 4], -30),
      ([0x43, 0x10, 0x4C, 0, 0, 6, 0x41], 100),
      // A wrong checksum changes nothing.
      ([0x41, 0x10, 0x42, 0x12, 0x40, 0, 5, 0x42, 0x11], 0),
    ] as [([UInt8], Double)])
  func `a master tuning tunes playing notes and later ones`(
    sysEx: [UInt8], cents: Double
  ) throws {
    let rig = try InstrumentRig()
    rig.send([(0, Self.note)])
    rig.send(sysEx: sysEx, frame: 640)
    _ = try rig.render(upTo: 1280)
    #expect(try Self.isTuned(rig, to: cents))
    let later = try InstrumentRig()
    later.send(sysEx: sysEx, frame: 0)
    later.send([(640, Self.note)])
    _ = try later.render(upTo: 1280)
    #expect(try Self.isTuned(later, to: cents))
    // A reset restores it.
    later.send(sysEx: [0x7E, 0x7F, 0x09, 0x01], frame: later.renderer.position.frames)
    _ = try later.render(upTo: later.renderer.position.frames + 96_000)
    later.send([(later.renderer.position.frames, Self.note)])
    _ = try later.render(upTo: later.renderer.position.frames + 128)
    #expect(try Self.isTuned(later, to: 0))
  }

  /// Key 69 is pitch class 9.
  @Test func `a scale tunes its pitch classes on its channels only`() throws {
    var narrow = [UInt8](repeating: 64, count: 12)
    narrow[9] = 64 - 14
    let rig = try InstrumentRig()
    rig.send(sysEx: [0x7F, 0x7F, 0x08, 0x08, 0, 0, 1] + narrow, frame: 0)
    rig.send([(0, Self.note)])
    #expect(try Self.isTuned(rig, to: -14))
    let other = try InstrumentRig()
    other.send(sysEx: [0x7F, 0x7F, 0x08, 0x08, 0, 0, 2] + narrow, frame: 0)
    other.send([(0, Self.note)])
    #expect(try Self.isTuned(other, to: 0))
    var wide = (0..<12).flatMap { _ in [64, 0] as [UInt8] }
    wide[18] = 80
    let fine = try InstrumentRig()
    fine.send(sysEx: [0x7F, 0x7F, 0x08, 0x09, 3, 127, 127] + wide, frame: 0)
    fine.send([(0, Self.note)])
    #expect(try Self.isTuned(fine, to: 25))
    let gs = try InstrumentRig()
    gs.send(sysEx: Self.roland([0x40, 0x11, 0x40] + narrow), frame: 0)
    gs.send([(0, Self.note)])
    #expect(try Self.isTuned(gs, to: -14))
  }

  /// A single key of tuning program 5, selected by RPN 3.
  @Test func `the tuning standard tunes single keys of a channel's tuning program`() throws {
    let rig = try InstrumentRig()
    rig.send(sysEx: [0x7F, 0x7F, 0x08, 0x02, 5, 1, 69, 70, 0x40, 0], frame: 0)
    rig.send([(0, Self.note)])
    _ = try rig.render(upTo: 1280)
    #expect(try Self.isTuned(rig, to: 0))
    let frame = rig.renderer.position.frames
    rig.send(Self.parameter(3, 5, 0).dropLast().map { (frame, $0) })
    _ = try rig.render(upTo: frame + 640)
    #expect(try Self.isTuned(rig, to: 150))
  }

  @Test(
    arguments: [
      [0x7F, 0x7F, 0x04, 0x01, 0x00, 0x40],
      roland([0x40, 0, 4, 64]),
      [0x43, 0x10, 0x4C, 0, 0, 4, 64],
    ] as [[UInt8]])
  func `a master volume of half is a quarter of the level`(sysEx: [UInt8]) throws {
    let rig = try InstrumentRig()
    rig.send([(0, Self.note)])
    let full = try rig.render(upTo: 48_000)[9600...].map { $0 }
    rig.send(sysEx: sysEx, frame: 48_000)
    let half = try rig.render(upTo: 96_000)[9600...].map { $0 }
    #expect(abs(half.rms / full.rms - 0.2518) < 0.004)
  }

  @Test(
    arguments: [
      [0x7F, 0x7F, 0x04, 0x01, 0x00, 0], roland([0x40, 0, 4, 0]), [0x43, 0x10, 0x4C, 0, 0, 4, 0],
    ] as [[UInt8]])
  func `a note that starts at master volume 0 sounds when that rises`(sysEx: [UInt8]) throws {
    let rig = try InstrumentRig()
    rig.send([(0, Self.note)])
    let full = try rig.render(upTo: 48_000)[9600...].map { $0 }
    let other = try InstrumentRig()
    other.send(sysEx: sysEx, frame: 0)
    other.send([(640, Self.note)])
    #expect(try other.render(upTo: 24_000).rms < 1e-5)
    other.send(sysEx: [0x7F, 0x7F, 0x04, 0x01, 0x7F, 0x7F], frame: 24_000)
    let risen = try other.render(upTo: 72_000)[9600...].map { $0 }
    #expect(abs(risen.rms / full.rms - 1) < 0.01)
  }

  /// The rig returns the left side.
  @Test(
    arguments: [
      (roland([0x40, 0, 6, 1]), 1), (roland([0x40, 0, 6, 127]), 0),
      (roland([0x40, 0, 6, 96]), 0.492), (roland([0x40, 0, 6, 32]), 1),
      ([0x7F, 0x7F, 4, 2, 0, 0], 1), ([0x7F, 0x7F, 4, 2, 0x7F, 0x7F], 0),
      ([0x7F, 0x7F, 4, 2, 0, 0x60], 0.5),
    ] as [([UInt8], Float)])
  func `the master pan attenuates the other side, and a reset restores it`(
    sysEx: [UInt8], left: Float
  ) throws {
    let rig = try InstrumentRig(effects: true)
    rig.send([(0, Self.note), (0, .control(Self.channel, Controller(91), value: 127))])
    let full = try rig.render(upTo: 48_000)[24_000...].map { $0 }
    rig.send(sysEx: sysEx, frame: 48_000)
    let turned = try rig.render(upTo: 96_000)[24_000...].map { $0 }
    #expect(abs(turned.rms / full.rms - left) < 0.01)
    rig.send(sysEx: [0x7E, 0x7F, 9, 1], frame: 96_000)
    rig.send([
      (96_640, Self.note), (96_640, .control(Self.channel, Controller(91), value: 127)),
    ])
    let reset = try rig.render(upTo: 144_640)[24_640...].map { $0 }
    #expect(abs(reset.rms / full.rms - 1) < 0.02)
  }

  /// Program 1 is an octave higher; the drum kit has program 0's sound.
  @Test(
    arguments: [
      roland([0x40, 0x11, 0x15, 1]),
      roland([0x40, 0x11, 0x15, 2]),
      [0x43, 0x10, 0x4C, 0x08, 0x00, 0x07, 0x02],
    ] as [[UInt8]])
  func `a part becomes drums in any bank mode, and melodic again`(sysEx: [UInt8]) throws {
    for mode in BankMode.allCases {
      let rig = try InstrumentRig(bankMode: mode, concertPitch: 466)
      rig.send(sysEx: sysEx, frame: 0)
      rig.send([(640, Self.note)])
      _ = try rig.render(upTo: 1280)
      // Drums keep their pitch.
      #expect(try Self.isTuned(rig, to: 0))
      // A reset makes the channel melodic again.
      rig.send(sysEx: [0x7E, 0x7F, 0x09, 0x01], frame: rig.renderer.position.frames)
      _ = try rig.render(upTo: rig.renderer.position.frames + 96_000)
      rig.send([(rig.renderer.position.frames, Self.note)])
      _ = try rig.render(upTo: rig.renderer.position.frames + 128)
      #expect(try Self.isTuned(rig, to: 1200 * log2(466.0 / 440)))
    }
  }

  @Test(
    arguments: [
      [0x7E, 0x7F, 0x09, 0x01], [0x7E, 0x7F, 0x09, 0x03],
      roland([0x40, 0, 0x7F, 0]), roland([0, 0, 0x7F, 0]), [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0],
    ] as [[UInt8]])
  func `every reset restores programs, bends and ranges`(sysEx: [UInt8]) throws {
    let rig = try InstrumentRig()
    let messages =
      Self.parameter(0, 12, 0) + [.program(Self.channel, 1), .bend(Self.channel, 16_383)]
    rig.send(messages.map { (0, $0) })
    rig.send(sysEx: sysEx, frame: 640)
    rig.send([(1280, Self.note), (1280, .bend(Self.channel, 12_288))])
    _ = try rig.render(upTo: 2560)
    #expect(try Self.isTuned(rig, to: 100))
  }

  /// The variation of the pitch: the spread of the distances between crossings.
  @Test func `the pressure of a key deepens its vibrato, as that of a channel does`() throws {
    func spread(_ messages: [Message]) throws -> Float {
      let rig = try InstrumentRig()
      rig.send(([Self.note] + messages).map { (0, $0) })
      return try rig.render(upTo: 96_000).crossingSpread
    }
    let still = try spread([])
    let key = try spread([Message(status: 0xA0, data1: 69, data2: 127)])
    let channel = try spread([Message(status: 0xD0, data1: 127)])
    #expect(key > 4 * still)
    #expect(abs(key - channel) < 0.1 * channel)
  }

  @Test func `stealing notes and refused notes are counted`() throws {
    let rig = try InstrumentRig(polyphony: 8)
    rig.send((0..<24).map { (0, .noteOn(Self.channel, Key(40 + UInt8($0)), velocity: 100)) })
    _ = try rig.render(upTo: 640)
    #expect(rig.instrument.refusedNoteCount + rig.instrument.stealingNoteCount >= 16)
    #expect(rig.instrument.activeVoiceCount <= 8)
  }

  @Test func `after a burst with all voices taken, the next quantum's notes steal voices`() throws {
    let rig = try InstrumentRig(polyphony: 8)
    rig.send((0..<24).map { (0, .noteOn(Self.channel, Key(40 + UInt8($0)), velocity: 100)) })
    _ = try rig.render(upTo: 640)
    let refused = rig.instrument.refusedNoteCount
    let stealing = rig.instrument.stealingNoteCount
    rig.send([(640, .noteOn(Self.channel, Key(90), velocity: 100))])
    _ = try rig.render(upTo: 1280)
    #expect(rig.instrument.refusedNoteCount == refused)
    #expect(rig.instrument.stealingNoteCount == stealing + 1)
    #expect(rig.instrument.activeVoiceCount == 8)
  }

  @Test func `damaged messages change nothing and stop nothing`() throws {
    let rig = try InstrumentRig()
    let bodies: [[UInt8]] = [
      [], [0x7F], [0x7F, 0x7F, 0x08], [0x7F, 0x7F, 0x08, 0x02, 0, 127],
      [0x7F, 0x7F, 0x08, 0x08, 0],
      [0x41, 0x10, 0x42, 0x12], [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x40, 1, 2],
      [0x43, 0x10, 0x4C, 8, 100, 7, 1], [0x7E, 0x7F, 0x08, 0x01], [0x7E, 0x7F, 0x08, 0x00, 0],
    ]
    for body in bodies { rig.send(sysEx: body, frame: 0) }
    rig.send([(640, Self.note)])
    _ = try rig.render(upTo: 1280)
    #expect(try Self.isTuned(rig, to: 0))
  }
}

extension [Float] {
  /// The times of rising zero crossings in frames, by linear interpolation.
  private var crossings: [Double] {
    (1..<Swift.max(1, count)).compactMap { index in
      let (before, after) = (Double(self[index - 1]), Double(self[index]))
      guard before < 0, after >= 0 else { return nil }
      return Double(index - 1) + before / (before - after)
    }
  }

  /// The mean pitch between the first and the last rising crossing.
  func pitch(hertz: Double) -> Double? {
    let times = crossings
    guard let first = times.first, let last = times.last, last > first else { return nil }
    return Double(times.count - 1) * hertz / (last - first)
  }

  /// The standard deviation of the periods, in frames.
  fileprivate var crossingSpread: Float {
    let times = crossings
    let periods = zip(times, times.dropFirst()).map { $1 - $0 }
    let mean = periods.reduce(0, +) / Double(Swift.max(1, periods.count))
    let variance = periods.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Float((variance / Double(Swift.max(1, periods.count))).squareRoot())
  }
}
