// SPDX-License-Identifier: Apache-2.0
import CFluidSynth
import Foundation
import MIDIMessages
import TestSupport

@testable import SoundFontVoices

/// Plays the same messages with Downbeat's voices and with FluidSynth, and measures the difference,
/// apart from FluidSynth 2.3's deviations from the specification.
@safe
final class Duet {
  static var isThere: Bool { FluidSynthWitness.isThere }
  static let fluidR3 = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
  static let own = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  /// A message, and the quantum that it precedes.
  struct Cue {
    var quantum: Int
    var message: Message
    /// A part parameter of channel 1, in place of the message.
    var part: (parameter: PartParameter, value: UInt8)?
    /// A parameter of a drum note, in place of the message.
    var note: (parameter: NoteParameter, value: UInt8, key: Int, map: Int)?

    init(_ quantum: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
      self.quantum = quantum
      message = Message(status: status, data1: data1, data2: data2)
    }
  }

  let bank: PatchBank
  let hertz: Int
  let polyphony: Int
  let gain: Float
  private let path: String

  init(
    _ path: String, bank: PatchBank? = nil, hertz: Int = 48_000, polyphony: Int = 256,
    gain: Float = 0.2
  ) throws {
    self.path = path
    self.bank = try bank ?? PatchBank(fontAt: path)
    (self.hertz, self.polyphony, self.gain) = (hertz, polyphony, gain)
  }

  /// Left, then right.
  typealias Sound = [[Float]]

  func ours(
    _ cues: [Cue], quanta: Int, at frame: Int = 0, run: Int = 1, busCount: Int = 1,
    quality: VoiceQuality = .usual
  ) -> Sound {
    var synth = VoiceSynth(
      bank,
      .init(
        hertz: hertz, polyphony: polyphony, busCount: busCount, gain: gain, hasSends: true,
        quality: quality))
    var programs = ChannelPrograms()
    loadPatches(synth)
    var sound = [[Float]](repeating: [Float](repeating: 0, count: quanta * 64), count: 2)
    var buffers = [[Float]](repeating: [], count: 2 * busCount + 2)
    var place = 0
    var next = 0
    while place < quanta {
      while next < cues.count, cues[next].quantum <= place {
        if programs.take(cues[next].message, &synth) {
          loadPatches(synth)
        } else {
          _ = synth.apply(cues[next].message, at: frame)
        }
        if let part = cues[next].part { synth.set(part.parameter, to: part.value, on: 0) }
        if let note = cues[next].note {
          synth.set(note.parameter, to: note.value, of: note.key, inMap: note.map)
        }
        next += 1
      }
      let until = next < cues.count ? min(quanta, cues[next].quantum) : quanta
      let count = min(run, until - place)
      for index in buffers.indices { buffers[index] = [Float](repeating: 0, count: count * 64) }
      unsafe buffers.withPointers { pointers in
        guard let reverb = unsafe pointers[2 * busCount],
          let chorus = unsafe pointers[2 * busCount + 1]
        else { return }
        unsafe synth.process(quantumCount: count, dry: pointers, reverb: reverb, chorus: chorus)
      }
      for side in 0..<2 {
        for frame in 0..<count * 64 {
          var sum: Float = 0
          for bus in 0..<busCount { sum += buffers[2 * bus + side][frame] }
          sound[side][place * 64 + frame] = sum
        }
      }
      place += count
    }
    return sound
  }

  private func loadPatches(_ synth: borrowing VoiceSynth) {
    for channel in 0..<16 {
      let patch = synth.preset(of: channel).patch
      if patch >= 0 { bank.load(patch) }
    }
  }

  func theirs(_ cues: [Cue], quanta: Int) throws -> Sound {
    let player = try FluidSynthPlayer(path, hertz: hertz, polyphony: polyphony, gain: gain)
    var sound = [[Float]](repeating: [], count: 2)
    var next = 0
    for quantum in 0..<quanta {
      while next < cues.count, cues[next].quantum <= quantum {
        player.apply(cues[next])
        next += 1
      }
      let (left, right) = player.process()
      sound[0] += left
      sound[1] += right
    }
    return sound
  }

  /// The level of the difference between both sounds, in decibels relative to FluidSynth's.
  ///
  /// Downbeat's sound is first scaled to FluidSynth's level: FluidSynth 2.3 loses 0.14 dB for a
  /// velocity or a controller of 127, and rounds to tenths of a decibel. Its first voices reach
  /// their gain within a quantum.
  func difference(_ cues: [Cue], quanta: Int) throws -> Double {
    let a = try theirs(cues, quanta: quanta)
    var b = ours(cues, quanta: quanta)
    for side in b.indices {
      for frame in 0..<64 { b[side][frame] *= Float(frame) / 64 }
    }
    return Self.decibels(a, Self.levelled(b, to: a))
  }

  /// A sound, scaled by at most 1 dB to be as close as possible to another.
  private static func levelled(_ sound: Sound, to other: Sound) -> Sound {
    var (product, power) = (1e-20, 1e-20)
    for side in 0..<2 {
      for (x, y) in zip(sound[side], other[side]) {
        product += Double(x) * Double(y)
        power += Double(x) * Double(x)
      }
    }
    let factor = Float(min(1.122, max(0.891, product / power)))
    return sound.map { $0.map { $0 * factor } }
  }

  /// Prints a difference if the environment has `TELL`; all of them form a table.
  static func tell(_ case: String, _ decibels: Double) {
    guard ProcessInfo.processInfo.environment["TELL"] != nil else { return }
    print(String(format: "%6.1f dB", decibels), `case`)
  }

  static func decibels(_ a: Sound, _ b: Sound) -> Double {
    var (power, rest) = (1e-20, 1e-20)
    for side in 0..<2 {
      for (x, y) in zip(a[side], b[side]) {
        power += Double(x) * Double(x)
        rest += Double(x - y) * Double(x - y)
      }
    }
    return 10 * log10(rest / power)
  }
}

/// A FluidSynth without effects, for playing.
@safe
private struct FluidSynthPlayer: ~Copyable {
  private let table: UnsafePointer<CFluidSynthTable>
  private let settings: OpaquePointer
  private let synth: OpaquePointer

  init(_ path: String, hertz: Int, polyphony: Int, gain: Float) throws {
    guard let table = unsafe cfluidsynth_table(),
      let settings = unsafe table.pointee.new_fluid_settings()
    else { throw FluidSynthWitness.Refusal() }
    for (name, value) in [
      ("synth.dynamic-sample-loading", 1), ("synth.reverb.active", 0), ("synth.chorus.active", 0),
      ("synth.polyphony", polyphony), ("synth.threadsafe-api", 0), ("synth.lock-memory", 0),
      ("synth.device-id", 16),
    ] {
      _ = unsafe table.pointee.fluid_settings_setint(settings, name, Int32(value))
    }
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.sample-rate", Double(hertz))
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.gain", Double(gain))
    _ = unsafe table.pointee.fluid_settings_setstr(settings, "synth.midi-bank-select", "gs")
    guard let synth = unsafe table.pointee.new_fluid_synth(settings),
      unsafe table.pointee.fluid_synth_sfload(synth, path, 1) >= 0
    else { throw FluidSynthWitness.Refusal() }
    unsafe (self.table, self.settings, self.synth) = (table, settings, synth)
    addKeyPressureVibrato()
  }

  deinit {
    unsafe table.pointee.delete_fluid_synth(synth)
    unsafe table.pointee.delete_fluid_settings(settings)
  }

  /// Adds the modulator that the instrument adds to the standard's.
  private func addKeyPressureVibrato() {
    guard let modulator = unsafe table.pointee.new_fluid_mod() else { return }
    defer { unsafe table.pointee.delete_fluid_mod(modulator) }
    unsafe table.pointee.fluid_mod_set_source1(modulator, 10, 0)
    unsafe table.pointee.fluid_mod_set_source2(modulator, 0, 0)
    unsafe table.pointee.fluid_mod_set_dest(modulator, 6)
    unsafe table.pointee.fluid_mod_set_amount(modulator, 50)
    _ = unsafe table.pointee.fluid_synth_add_default_mod(synth, modulator, 1)
  }

  func apply(_ cue: Duet.Cue) {
    let message = cue.message
    let channel = Int32(message.status & 0x0F)
    let (first, second) = (Int32(message.data1), Int32(message.data2))
    switch message.status & 0xF0 {
    case 0x80: _ = unsafe cfluidsynth_noteoff(table, synth, channel, first)
    case 0x90 where second == 0: _ = unsafe cfluidsynth_noteoff(table, synth, channel, first)
    case 0x90: _ = unsafe cfluidsynth_noteon(table, synth, channel, first, second)
    case 0xA0: _ = unsafe cfluidsynth_key_pressure(table, synth, channel, first, second)
    case 0xB0: _ = unsafe cfluidsynth_cc(table, synth, channel, first, second)
    case 0xC0: _ = unsafe cfluidsynth_program_change(table, synth, channel, first)
    case 0xD0: _ = unsafe cfluidsynth_channel_pressure(table, synth, channel, first)
    case 0xE0: _ = unsafe cfluidsynth_pitch_bend(table, synth, channel, first | second << 7)
    default: break
    }
  }

  func process() -> ([Float], [Float]) {
    var sound = [[Float]](repeating: [Float](repeating: 0, count: 64), count: 2)
    unsafe sound.withPointers { pointers in
      _ = unsafe table.pointee.fluid_synth_process(synth, 64, 0, nil, 2, pointers)
    }
    return (sound[0], sound[1])
  }
}

extension [[Float]] {
  /// Calls a closure with pointers to all arrays.
  mutating func withPointers(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Float>?>) -> Void
  ) {
    let length = first?.count ?? 0
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: Swift.max(1, count * length))
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(repeating: 0, count: count * length)
    var pointers: [UnsafeMutablePointer<Float>?] = unsafe []
    for index in indices { unsafe pointers.append(memory + index * length) }
    unsafe pointers.withUnsafeMutableBufferPointer { list in
      if let first = list.baseAddress { unsafe body(first) }
    }
    for index in indices {
      self[index] = unsafe [Float](
        UnsafeBufferPointer(start: memory + index * length, count: length))
    }
  }
}
