// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import SoundFontFiles
import SoundFontVoices
import TestSupport

/// Soundfonts whose tables are mutated, played by our own voices with random messages.
struct VoiceTarget: FuzzTarget {
  private static let quantum = 64
  private let scene: FuzzScene
  private let seed = TinySoundFont.bytes
  private var (played, refused, notes) = (0, 0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(played) played, \(notes) notes, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    try attack(FontTarget.mutated(seed, &random), &random)
  }

  /// Plays a font.
  mutating func attack(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    try scene.keep(bytes)
    let bank: PatchBank
    do {
      let (tables, font) = try SoundFontTables.open(FontBytes(bytes))
      bank = try PatchBank(
        [.init(path: scene.inputPath, bytes: font, tables: tables)], programs: nil)
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
      return
    }
    for patch in 0..<bank.patchCount { bank.load(patch) }
    try play(bank, &random)
    played += 1
  }

  private mutating func play(_ bank: PatchBank, _ random: inout SplitMix) throws {
    let hertz = [8000, 44_100, 48_000, 96_000].randomElement(using: &random) ?? 48_000
    var synth = VoiceSynth(
      bank,
      VoiceSynth.Configuration(
        hertz: hertz, polyphony: Int.random(in: 1...40, using: &random), busCount: 16, gain: 1,
        hasSends: true))
    let length = 4 * Self.quantum
    let sound = UnsafeMutableBufferPointer<Float>.allocate(capacity: 34 * length)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 32)
    defer {
      unsafe sound.deallocate()
      unsafe channels.deallocate()
    }
    guard let base = sound.baseAddress else { return }
    for channel in 0..<32 { unsafe channels[channel] = base + channel * length }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let message = Self.message(&random)
        if message.status & 0xF0 == 0x90 { notes += 1 }
        if message.status & 0xF0 == 0xC0 { choose(&synth, bank, message, &random) }
        _ = synth.apply(message, at: Int.random(in: 0..<Self.quantum, using: &random))
      }
      unsafe sound.update(repeating: 0)
      unsafe synth.process(
        quantumCount: Int.random(in: 1...4, using: &random), dry: channels,
        reverb: base + 32 * length, chorus: base + 33 * length)
      try FuzzFault.unless(unsafe sound.allSatisfy(\.isFinite), "a sample that is not a number")
    }
    synth.silence()
    unsafe synth.process(
      quantumCount: 1, dry: channels, reverb: base + 32 * length, chorus: base + 33 * length)
    try FuzzFault.unless(synth.activeVoiceCount == 0, "a voice that silence does not end")
  }

  /// Gives a channel a preset of the font, or, seldom, one that it may lack.
  private func choose(
    _ synth: inout VoiceSynth, _ bank: PatchBank, _ message: Message, _ random: inout SplitMix
  ) {
    let channel = Int(message.status & 0x0F)
    var preset = (bank: channel == 9 ? 128 : 0, program: Int(message.data1))
    if bank.patchCount > 0, Int.random(in: 0..<4, using: &random) > 0 {
      let own = bank.preset(of: Int.random(in: 0..<bank.patchCount, using: &random))
      preset = own
    }
    synth.choose(
      channel, bank: preset.bank, program: preset.program, isDrums: Bool.random(using: &random))
  }

  /// Mostly notes.
  private static func message(_ random: inout SplitMix) -> Message {
    let kinds: [UInt8] = [0x90, 0x90, 0x90, 0x90, 0x80, 0xA0, 0xB0, 0xB0, 0xC0, 0xD0, 0xE0]
    let kind = kinds.randomElement(using: &random) ?? 0x90
    return Message(
      status: kind | UInt8.random(in: 0..<16, using: &random),
      data1: UInt8.random(in: 0..<128, using: &random),
      data2: UInt8.random(in: 0..<128, using: &random))
  }
}
