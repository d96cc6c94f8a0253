// SPDX-License-Identifier: Apache-2.0
import CFluidSynth
import Foundation
import MIDIMessages
import SoundFontFiles
import SoundFontVoices

/// Many voices at once, with Downbeat's voices and with FluidSynth.
@safe
struct VoiceCrowd {
  enum Scene: String, CaseIterable {
    case held256, held1000, passing
  }

  private static let quanta = 1500
  /// One program on each channel; strings, organs, pianos, brass and others, most of them
  /// sustained.
  private static let programs: [UInt8] = [0, 19, 48, 52, 61, 49, 16, 50, 81]
  private let path: String

  init(_ path: String) { self.path = path }

  /// The messages before each quantum: strings, organs, pianos and brass, held, or a third of a
  /// second each.
  private func messages(_ scene: Scene, at quantum: Int) -> [Message] {
    func note(_ index: Int, on: Bool) -> Message {
      let channel = UInt8(index % Self.programs.count)
      let key = UInt8(36 + (index / Self.programs.count * 11) % 49)
      return Message(status: (on ? 0x90 : 0x80) | channel, data1: key, data2: 100)
    }
    var list: [Message] = []
    if quantum == 0 {
      for channel in Self.programs.indices {
        list.append(Message(status: 0xC0 | UInt8(channel), data1: Self.programs[channel]))
        list.append(Message(status: 0xB0 | UInt8(channel), data1: 91, data2: 40))
      }
    }
    switch scene {
    case .held256, .held1000:
      if quantum == 0 {
        let count = scene == .held256 ? 142 : 441
        for index in 0..<count { list.append(note(index, on: true)) }
      }
    case .passing:
      list.append(note(quantum, on: true))
      if quantum >= 60 { list.append(note(quantum - 60, on: false)) }
    }
    return list
  }

  private func count(_ scene: Scene) -> Int { scene == .held256 ? 256 : 1024 }

  private static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private func bank() throws -> PatchBank {
    let bytes = try FontFile.bytes(of: path)
    return try PatchBank(
      [.init(path: path, bytes: bytes, tables: try SoundFontTables(bytes))],
      programs: Set(Self.programs.map { Int($0) }))
  }

  /// Nanoseconds for a voice and a quantum, including the starts of notes.
  func ours(_ scene: Scene, call: Int) throws -> Double {
    let bank = try bank()
    for patch in 0..<bank.patchCount { bank.load(patch) }
    var synth = VoiceSynth(
      bank,
      .init(
        hertz: 48_000, polyphony: count(scene), busCount: 1, gain: 0.2, hasSends: true))
    return unsafe measure(scene, call) { message in
      if message.status & 0xF0 == 0xC0 {
        synth.choose(
          Int(message.status & 0x0F), bank: 0, program: Int(message.data1), isDrums: false)
      } else {
        _ = synth.apply(message, at: 0)
      }
    } count: {
      synth.activeVoiceCount
    } process: { quanta, pointers in
      if let reverb = unsafe pointers[2], let chorus = unsafe pointers[3] {
        unsafe synth.process(
          quantumCount: quanta, dry: pointers, reverb: reverb, chorus: chorus)
      }
    }
  }

  func theirs(_ scene: Scene, call: Int) -> Double {
    guard let table = unsafe cfluidsynth_table(),
      let settings = unsafe table.pointee.new_fluid_settings()
    else { return .nan }
    for (name, value) in [
      ("synth.reverb.active", 0), ("synth.chorus.active", 0), ("synth.polyphony", count(scene)),
      ("synth.threadsafe-api", 0), ("synth.lock-memory", 0),
    ] {
      _ = unsafe table.pointee.fluid_settings_setint(settings, name, Int32(value))
    }
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.sample-rate", 48_000)
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.gain", 0.2)
    defer { unsafe table.pointee.delete_fluid_settings(settings) }
    guard let synth = unsafe table.pointee.new_fluid_synth(settings) else { return .nan }
    defer { unsafe table.pointee.delete_fluid_synth(synth) }
    guard unsafe table.pointee.fluid_synth_sfload(synth, path, 1) >= 0 else { return .nan }
    return unsafe measure(scene, call) { message in
      let channel = Int32(message.status & 0x0F)
      let (first, second) = (Int32(message.data1), Int32(message.data2))
      switch message.status & 0xF0 {
      case 0x80: _ = unsafe cfluidsynth_noteoff(table, synth, channel, first)
      case 0x90: _ = unsafe cfluidsynth_noteon(table, synth, channel, first, second)
      case 0xB0: _ = unsafe cfluidsynth_cc(table, synth, channel, first, second)
      default: _ = unsafe cfluidsynth_program_change(table, synth, channel, first)
      }
    } count: {
      unsafe Int(cfluidsynth_active_voice_count(table, synth))
    } process: { quanta, pointers in
      _ = unsafe table.pointee.fluid_synth_process(
        synth, Int32(64 * quanta), 0, nil, 2, pointers)
    }
  }

  private func measure(
    _ scene: Scene, _ call: Int, apply: (Message) -> Void, count: () -> Int,
    process: (Int, UnsafeMutablePointer<UnsafeMutablePointer<Float>?>) -> Void
  ) -> Double {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 64 * 32)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 4)
    defer {
      unsafe memory.deallocate()
      unsafe pointers.deallocate()
    }
    unsafe memory.initialize(repeating: 0, count: 4 * 64 * 32)
    for index in 0..<4 { unsafe (pointers + index).initialize(to: memory + 64 * 32 * index) }
    var (taken, voices) = (0.0, 0.0)
    for quantum in stride(from: 0, to: Self.quanta, by: call) {
      let lists = (quantum..<quantum + call).map { messages(scene, at: $0) }
      let start = Self.now()
      for list in lists { for message in list { apply(message) } }
      let sounding = count()
      unsafe process(call, pointers)
      if quantum >= 60 {
        taken += Self.now() - start
        voices += Double(sounding * call)
      }
    }
    if ProcessInfo.processInfo.environment["TELL"] != nil {
      print(scene, voices / Double(Self.quanta - 60))
    }
    return taken / voices
  }
}
