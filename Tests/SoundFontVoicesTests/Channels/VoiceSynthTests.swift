// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import CSoundFontVoices
import Foundation
import MIDIMessages
import TestSupport
import Testing

@testable import SoundFontVoices

/// The synthesiser alone, with Downbeat's font.
@Suite(.serialized)
struct VoiceSynthTests {
  private typealias Cue = Duet.Cue

  private static let bank = Result { try PatchBank(fontAt: Duet.own) }

  private func duet(polyphony: Int = 256) throws -> Duet {
    try Duet(Duet.own, bank: Self.bank.get(), polyphony: polyphony)
  }

  private func synth(polyphony: Int = 256, hasSends: Bool = true) throws -> VoiceSynth {
    let bank = try Self.bank.get()
    for patch in 0..<bank.patchCount { bank.load(patch) }
    return VoiceSynth(
      bank,
      .init(
        hertz: 48_000, polyphony: polyphony, busCount: 1, gain: 0.2, hasSends: hasSends))
  }

  /// Left, right, and the inputs of reverb and chorus.
  private func sound(_ synth: inout VoiceSynth, quanta: Int) -> [[Float]] {
    var sound = [[Float]](repeating: [], count: 4)
    for _ in 0..<quanta {
      var buffers = [[Float]](repeating: [Float](repeating: 0, count: 64), count: 4)
      unsafe buffers.withPointers { pointers in
        guard let reverb = unsafe pointers[2], let chorus = unsafe pointers[3] else { return }
        unsafe synth.process(quantumCount: 1, dry: pointers, reverb: reverb, chorus: chorus)
      }
      for index in 0..<4 { sound[index] += buffers[index] }
    }
    return sound
  }

  private func strike(
    _ synth: inout VoiceSynth, _ key: UInt8, at frame: Int = 0, channel: UInt8 = 0
  ) -> Bool {
    synth.apply(Message(status: 0x90 | channel, data1: key, data2: 100), at: frame)
  }

  private func send(_ synth: inout VoiceSynth, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0)
  {
    _ = synth.apply(Message(status: status, data1: data1, data2: data2), at: 0)
  }

  /// Selects a program of bank 0 on the first channel.
  private func choose(_ synth: inout VoiceSynth, program: Int) {
    synth.choose(0, bank: 0, program: program, isDrums: false)
  }

  @Test func `a generator number saturates however often its parts are sent`() throws {
    var synth = try synth()
    #expect(strike(&synth, 60))
    send(&synth, 0xB0, 99, 120)
    // 2^31 / 10,000 = 214,748.4.
    for _ in 0..<215_000 { send(&synth, 0xB0, 98, 102) }
    send(&synth, 0xB0, 98, 5)
    send(&synth, 0xB0, 6, 64)
    let isFinite = sound(&synth, quanta: 4).joined().allSatisfy { $0.isFinite }
    #expect(isFinite)
  }

  @Test(arguments: [3, 17, 32])
  func `quanta rendered in runs equal those rendered one by one`(run: Int) throws {
    let cues = RandomCues.make(seed: 7, quanta: 600).filter { $0.quantum % 12 < 3 }
    let duet = try duet(polyphony: 64)
    #expect(duet.ours(cues, quanta: 1500) == duet.ours(cues, quanta: 1500, run: run))
  }

  @Test func `both kinds of loops give the same bytes`() throws {
    let cues = RandomCues.make(seed: 8, quanta: 600)
    let duet = try duet()
    defer { _ = cvoices_choose(1) }
    _ = cvoices_choose(0)
    let plain = duet.ours(cues, quanta: 900)
    guard cvoices_choose(1) != 0 else { try Test.cancel("no wide registers") }
    #expect(duet.ours(cues, quanta: 900) == plain)
  }

  @Test func `the sum of the channel buses equals a single bus`() throws {
    let cues = RandomCues.make(seed: 9, quanta: 600)
    let duet = try duet()
    let (one, many) = (duet.ours(cues, quanta: 900), duet.ours(cues, quanta: 900, busCount: 16))
    #expect(Duet.decibels(one, many) < -110)
  }

  @Test func `a note starts at its frame`() throws {
    for frame in [0, 1, 17, 63] {
      var synth = try synth()
      #expect(strike(&synth, 60, at: frame))
      let left = sound(&synth, quanta: 4)[0]
      #expect(left[0..<frame].allSatisfy { $0 == 0 })
      #expect(left[frame..<frame + 24].contains { $0 != 0 })
    }
  }

  @Test func `a note at a later frame is the same note`() throws {
    let cues = [Cue(0, 0xC0, 19), Cue(0, 0x90, 60, 100)]
    let duet = try duet()
    let (first, later) = (duet.ours(cues, quanta: 700), duet.ours(cues, quanta: 700, at: 32))
    // Envelopes move once per quantum, which is the remaining difference.
    let moved = later.map { Array($0[(600 * 64 + 32)...].prefix(4096)) }
    let still = first.map { Array($0[(600 * 64)...].prefix(4096)) }
    #expect(Duet.decibels(still, moved) < -50)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `minutes of random messages leave no voice active`(seed: UInt64) throws {
    var synth = try synth(polyphony: seed == 2 ? 16 : 300)
    // Without entered generators, since some cause a release of minutes.
    let cues = RandomCues.make(seed: seed, quanta: seed == 2 ? 50_000 : 6000).filter {
      $0.message.status & 0xF0 != 0xB0 || ![98, 99].contains($0.message.data1)
    }
    var quantum = 0
    for cue in cues {
      if cue.quantum > quantum {
        _ = sound(&synth, quanta: cue.quantum - quantum)
        quantum = cue.quantum
      }
      _ = synth.apply(cue.message, at: Int(cue.message.data1 & 63))
      #expect(synth.activeVoiceCount <= 300)
    }
    #expect(synth.activeVoiceCount > 0)
    synth.reset()
    var left = 20_000
    while synth.activeVoiceCount > 0, left > 0 {
      _ = sound(&synth, quanta: 100)
      left -= 100
    }
    #expect(synth.activeVoiceCount == 0)
    #expect(sound(&synth, quanta: 2).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer has its own allocator"))
  func `the render thread allocates and locks nothing`() throws {
    var synth = try synth(polyphony: 40)
    let cues = RandomCues.make(seed: 4, quanta: 3000)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 64)
    var pointers: [UnsafeMutablePointer<Float>?] = unsafe []
    for index in 0..<4 { unsafe pointers.append(memory + 64 * index) }
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(repeating: 0, count: 4 * 64)
    let counts = unsafe pointers.withUnsafeMutableBufferPointer { list in
      guard let dry = list.baseAddress, let sends = unsafe list[2] else {
        return CAllocationCounts()
      }
      callocationcounter_begin()
      var quantum = 0
      for index in 0..<cues.count {
        while quantum < cues[index].quantum {
          unsafe synth.process(quantumCount: 1, dry: dry, reverb: sends, chorus: sends + 64)
          quantum += 1
        }
        _ = synth.apply(cues[index].message, at: 5)
        if index % 80 == 0 {
          synth.choose(index % 16, bank: 0, program: index % 128, isDrums: false)
        }
        if index % 800 == 0 { synth.reset() }
      }
      return callocationcounter_end()
    }
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
  }

  @Test func `above the polyphony the least important voices are stolen`() throws {
    var synth = try synth(polyphony: 8)
    choose(&synth, program: 19)
    for key in UInt8(40)..<48 {
      _ = strike(&synth, key)
      _ = sound(&synth, quanta: 2)
    }
    // The youngest would be the most noticeable loss.
    _ = sound(&synth, quanta: 1000)
    let before = synth.activeVoiceCount
    send(&synth, 0x80, 44)
    _ = sound(&synth, quanta: 10)
    #expect(strike(&synth, 60))
    #expect(synth.activeVoiceCount <= 8)
    #expect(before <= 8)
    var places = [Int32](repeating: 0, count: 8)
    let count = unsafe places.withUnsafeMutableBufferPointer { list in
      unsafe list.baseAddress.map { unsafe synth.list($0, capacity: 8) } ?? 0
    }
    let keys = places.prefix(count).map { synth.origin(of: Int($0)).key }
    #expect(keys.contains(60))
    #expect(!keys.contains(44))
  }

  @Test func `a voice is not stolen twice in one quantum`() throws {
    var synth = try synth(polyphony: 2)
    choose(&synth, program: 73)
    var struck = 0
    for key in UInt8(40)..<60 where strike(&synth, key) { struck += 1 }
    #expect(struck < 20)
    _ = sound(&synth, quanta: 1)
    #expect(strike(&synth, 70))
  }

  @Test func `the sends to reverb and chorus follow their controllers`() throws {
    /// The send levels of the note to reverb and to chorus.
    func sends(_ value: UInt8) throws -> [Double] {
      var synth = try synth()
      send(&synth, 0xB0, 91, value)
      send(&synth, 0xB0, 93, value / 2)
      _ = strike(&synth, 60)
      let sound = self.sound(&synth, quanta: 200)
      let powers = sound.map { side in
        side.reduce(0.0) { (sum: Double, sample: Float) in sum + Double(sample * sample) }
      }
      return [(powers[2] / powers[0]).squareRoot(), (powers[3] / powers[0]).squareRoot()]
    }
    let (none, some, all) = (try sends(0), try sends(60), try sends(120))
    for target in 0..<2 {
      #expect(all[target] > some[target])
      #expect(abs((all[target] - some[target]) / (some[target] - none[target]) - 1) < 0.01)
    }
    #expect(abs((all[0] - none[0]) / (all[1] - none[1]) - 2) < 0.02)
    var wet = try self.synth()
    send(&wet, 0xB0, 91, 127)
    _ = strike(&wet, 60)
    let sound = self.sound(&wet, quanta: 200)
    var dry = try self.synth(hasSends: false)
    send(&dry, 0xB0, 91, 127)
    _ = strike(&dry, 60)
    let silent = self.sound(&dry, quanta: 200)
    #expect(silent[2].allSatisfy { $0 == 0 })
    #expect(silent[0] == sound[0])
  }

  @Test func `a note sounds the same whatever its voice played before`() throws {
    var fresh = try synth()
    _ = sound(&fresh, quanta: 400)
    _ = strike(&fresh, 60)
    var used = try synth()
    send(&used, 0xB0, 10, 0)
    send(&used, 0xB0, 91, 127)
    _ = strike(&used, 72)
    _ = sound(&used, quanta: 10)
    used.silence()
    _ = sound(&used, quanta: 390)
    #expect(used.activeVoiceCount == 0)
    _ = strike(&used, 60)
    let (first, second) = (sound(&fresh, quanta: 100), sound(&used, quanta: 100))
    #expect(first == second)
  }

  @Test func `a voice fades within a quantum and ends at once`() throws {
    var synth = try synth()
    choose(&synth, program: 19)
    _ = strike(&synth, 60)
    _ = sound(&synth, quanta: 40)
    var places = [Int32](repeating: 0, count: 64)
    let count = unsafe places.withUnsafeMutableBufferPointer { list in
      unsafe list.baseAddress.map { unsafe synth.list($0, capacity: 64) } ?? 0
    }
    #expect(count > 0)
    #expect(count == synth.activeVoiceCount)
    for place in places.prefix(count) {
      let hold = synth.isHeld(Int(place))
      #expect(hold.byKey && !hold.byPedal)
      let wasFading = synth.isFading(Int(place))
      synth.fade(Int(place))
      let isFading = synth.isFading(Int(place))
      #expect(!wasFading && isFading)
    }
    _ = sound(&synth, quanta: 1)
    let rest = sound(&synth, quanta: 1)[0].map(abs).max() ?? 0
    #expect(rest < 1e-4)
    for place in places.prefix(count) { synth.end(Int(place)) }
    #expect(synth.activeVoiceCount == 0)
  }

  @Test func `a voice is tuned by cents`() throws {
    let cues = [Cue(0, 0xC0, 80), Cue(0, 0x90, 60, 100)]
    let higher = [
      Cue(0, 0xC0, 80), Cue(0, 0xB0, 101, 0), Cue(0, 0xB0, 100, 2), Cue(0, 0xB0, 6, 66),
    ]
    let wanted = try duet().ours(
      higher + cues.dropFirst(), quanta: 100)
    var synth = try synth()
    choose(&synth, program: 80)
    _ = strike(&synth, 60)
    var places = [Int32](repeating: 0, count: 64)
    let count = unsafe places.withUnsafeMutableBufferPointer { list in
      unsafe list.baseAddress.map { unsafe synth.list($0, capacity: 64) } ?? 0
    }
    for place in places.prefix(count) { synth.tune(Int(place), byCents: 200) }
    let tuned = sound(&synth, quanta: 100)
    #expect(Duet.decibels(wanted, Array(tuned.prefix(2))) < -100)
  }

  @Test func `the caller sets the channels' presets`() throws {
    var synth = try synth()
    synth.choose(1, bank: 128, program: 0, isDrums: true)
    // Neither has an effect here, because the sound module interprets them.
    send(&synth, 0xB1, 0, 3)
    send(&synth, 0xC1, 5)
    let bank = try Self.bank.get()
    let patches = [1, 9, 0].map { synth.preset(of: $0).patch }
    #expect(patches.map { bank.preset(of: $0).bank } == [128, 128, 0])
    synth.reset()
    let patch = synth.preset(of: 1).patch
    #expect(bank.preset(of: patch).bank == 0)
  }

  @Test func `silence ends everything within a quantum`() throws {
    var synth = try synth()
    for key in UInt8(40)..<60 { _ = strike(&synth, key) }
    _ = sound(&synth, quanta: 20)
    synth.silence()
    _ = sound(&synth, quanta: 1)
    #expect(synth.activeVoiceCount == 0)
  }
}
