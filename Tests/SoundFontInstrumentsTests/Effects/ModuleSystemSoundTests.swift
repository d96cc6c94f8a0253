// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import Testing

@testable import SoundFontInstruments

/// Single parameters of the system reverb and chorus of GS and XG, by their effect on an impulse, a
/// tone or a ramp.
@Suite struct ModuleSystemSoundTests {
  private static let rate = 48_000

  typealias Setting = SystemSoundRig.Setting

  // MARK: Reverb

  /// Uses an impulse small enough for FluidSynth's voices, which would clip white noise.
  @Test(arguments: [1, 4])
  func `Downbeat's room is as loud as FluidSynth's at both ends of its range`(
    type: Int
  ) throws {
    func loudness(_ byte: Int, _ seconds: Double) throws -> Float {
      let settings: [Setting] = [.xg(0, type), .xg(2, byte)]
      return try SystemSoundRig.heard(settings, seconds: seconds) {
        SystemSoundRig.impulse($0) * 0.01
      }[0].rms
    }
    // 0.7 and 0.8 s, 12 and 13 s; the energy of a decay is proportional to its time.
    let short = try loudness(4, 2) / loudness(5, 2) / (0.7 / 0.8 as Float).squareRoot()
    let long = try loudness(60, 10) / loudness(59, 10) / (13 / 12 as Float).squareRoot()
    #expect(abs(20 * log10(short)) < 1.5 && abs(20 * log10(long)) < 1.5, "\(short) \(long)")
  }

  @Test func `a macro sets every parameter, and its default values change nothing`() throws {
    let tables: [(macro: Int, lowPass: Int, time: Int, feedback: Int)] = [
      (0, 3, 80, 0), (1, 4, 56, 0), (2, 0, 64, 0), (3, 4, 72, 0), (4, 0, 64, 0), (5, 0, 88, 0),
      (6, 0, 32, 40), (7, 0, 64, 32),
    ]
    for table in tables {
      let set: [Setting] = [
        .gs(0x31, table.macro), .gs(0x32, table.lowPass), .gs(0x33, 64), .gs(0x34, table.time),
        .gs(0x35, table.feedback), .gs(0x37, 0),
      ]
      let macro = SystemSoundRig.effects([.gs(0x30, table.macro)]).reverb
      #expect(SystemSoundRig.effects([.gs(0x30, table.macro)] + set).reverb == macro)
      let other: [Setting] = [
        .gs(0x32, 7), .gs(0x33, 3), .gs(0x34, 9), .gs(0x35, 99), .gs(0x37, 50),
      ]
      #expect(SystemSoundRig.effects(other + [.gs(0x30, table.macro)]).reverb == macro)
      #expect(macro.isOwn == (table.macro >= 6) && !macro.isTreated)
    }
  }

  @Test(arguments: [
    (Setting.gs(0x37, 100), 4800), (.gs(0x37, 127), 6096), (.xg(4, 63), 4766), (.xg(4, 0), 5),
  ])
  func `the time before the reverb is set by the byte`(setting: Setting, frames: Int) throws {
    // The delay's repeat, which is affected by nothing else.
    let delay: [Setting] = [.gs(0x30, 6), .gs(0x35, 0)]
    let plain = try SystemSoundRig.heard(delay, seconds: 0.5, SystemSoundRig.impulse)[0]
    let later = try SystemSoundRig.heard(delay + [setting], seconds: 0.5, SystemSoundRig.impulse)[0]
    #expect(later[..<frames].allSatisfy { abs($0) < 1e-6 })
    let pairs = zip(later[frames...], plain)
    #expect(pairs.allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(plain.rms > 1e-4)
  }

  /// Cutoff frequencies, at which a filter of 6 dB per octave passes 0.707.
  @Test(arguments: [
    (Setting.gs(0x32, 7), 1000.0), (.gs(0x32, 6), 2000), (.xg(6, 34), 1002), (.xg(6, 40), 2000),
    (.xg(5, 20), 200), (.xg(5, 34), 1002),
  ])
  func `the filters before the reverb have their cutoffs`(setting: Setting, hertz: Double) throws {
    func level(_ settings: [Setting]) throws -> Float {
      // The delay's repeat is otherwise unfiltered.
      let delay: [Setting] = [.gs(0x30, 6), .gs(0x35, 0), .gs(0x34, 10)]
      let heard = try SystemSoundRig.heard(delay + settings, seconds: 0.5) { frame in
        Float(sin(2 * .pi * hertz * Double(frame) / Double(Self.rate)))
      }
      return Array(heard[0][12_000...]).rms
    }
    let ratio = try level([setting]) / level([])
    #expect(abs(ratio - 0.707) < 0.06, "\(ratio)")
  }

  @Test(arguments: [(32, 40), (127, 127), (64, 0), (10, 64)])
  func `the delay repeats by time and feedback`(time: Int, feedback: Int) throws {
    let settings: [Setting] = [.gs(0x30, 6), .gs(0x34, time), .gs(0x35, feedback)]
    let heard = try SystemSoundRig.heard(settings, seconds: 1.5, SystemSoundRig.impulse)
    let step = Double(time) / 127 * 0.4468 * Double(Self.rate)
    let part = 0.73 * (1 - pow(1 - Double(feedback) / 127, 1.9))
    for number in 1...3 {
      let place = Int(step * Double(number))
      let sum = heard[0][place - 4...place + 4].reduce(0, +)
      // The level of a note with a send of one fifth.
      let expected = Float(5 * 0.7071 * pow(part, Double(number - 1)))
      #expect(abs(sum - expected) < 0.02 + 0.02 * expected, "\(number): \(sum) \(expected)")
      #expect(heard[0] == heard[1])
    }
  }

  @Test func `the panning delay alternates between the sides in half the time`() throws {
    let heard = try SystemSoundRig.heard([.gs(0x30, 7)], seconds: 1, SystemSoundRig.impulse)
    let step = 64.0 / 127 * 0.2234 * Double(Self.rate)
    let part = Float(0.73 * (1 - pow(1 - 32.0 / 127, 1.9)))
    let levels: [(Float, Float)] = [(5, 0), (0, 5), (5 * part, 0), (0, 5 * part)]
    for (number, level) in levels.enumerated() {
      let place = Int(step * Double(number + 1))
      let sides = (0..<2).map { heard[$0][place - 4...place + 4].reduce(0, +) }
      #expect(abs(sides[0] - level.0) < 0.1 && abs(sides[1] - level.1) < 0.1, "\(sides)")
    }
  }

  @Test(arguments: [(Setting.gs(0x33, 127), 1.984), (.gs(0x33, 32), 0.5), (.xg(0x0C, 96), 1.5)])
  func `the level of the reverb is set by the byte, also beyond FluidSynth's range`(
    setting: Setting, ratio: Double
  ) throws {
    for kind in [[Setting.gs(0x30, 4)], [.gs(0x30, 6)], [.gs(0x30, 4), .gs(0x34, 110)]] {
      let plain = try SystemSoundRig.heard(kind, seconds: 1, SystemSoundRig.impulse)[0]
      let level = try SystemSoundRig.heard(kind + [setting], seconds: 1, SystemSoundRig.impulse)[0]
      #expect(abs(level.rms / plain.rms / Float(ratio) - 1) < 0.01)
    }
  }

  @Test(arguments: [0x0D, 0x2D])
  func `a return of XG has its pan`(address: Int) throws {
    let place = address == 0x0D ? 0 : 2
    // Later than the first quantum, in which the pan moves.
    func later(_ pan: Int) throws -> [[Float]] {
      try SystemSoundRig.heard([.xg(address, pan)], seconds: 0.5) { $0 == 640 ? 1 : 0 }
    }
    let middle = try later(64)
    for (pan, left, right) in [(1, 1, 0), (127, 0, 1), (96, 0.492, 1)] as [(Int, Float, Float)] {
      let heard = try later(pan)
      #expect(abs(heard[place].rms - left * middle[place].rms) < 1e-4)
      #expect(abs(heard[place + 1].rms - right * middle[place + 1].rms) < 1e-4)
    }
  }

  // MARK: Chorus

  /// The delay of each frame of a chorus with one voice per side, in frames: the amount by which a
  /// ramp is behind.
  private static func delays(_ settings: [Setting], seconds: Double) throws -> [Float] {
    let gain = 1 / 48_000 as Float
    let heard = try SystemSoundRig.heard(settings, seconds: seconds) { Float($0) * gain }[2]
    let level = settings.first { $0.address == 0x3A }.map { Float($0.value) / 64 } ?? 1
    return heard.enumerated().map { Float($0.offset) - $0.element / gain / 1.5 / level }
  }

  /// The number of frames between two rises from the lowest quarter to the highest.
  private static func period(of delays: [Float]) throws -> Double {
    let (least, most) = (delays.min() ?? 0, delays.max() ?? 0)
    var rises: [Int] = []
    var isLow = false
    for (place, delay) in delays.enumerated() {
      if delay < least + (most - least) / 4 { isLow = true }
      if isLow, delay > most - (most - least) / 4 {
        isLow = false
        rises.append(place)
      }
    }
    try #require(rises.count >= 3)
    // The first may have started in the middle.
    return Double(rises[2] - rises[1])
  }

  /// Rates are steps of 0.122 Hz, depths are steps of 1/3.2 ms in total.
  @Test(arguments: [(100, 20, 31), (60, 8, 15), (127, 40, 7)])
  func `the GS chorus moves by its delay, rate and depth`(
    delay: Int, rate: Int, depth: Int
  ) throws {
    let settings: [Setting] = [
      .gs(0x38, 2), .gs(0x3B, 0), .gs(0x3C, delay), .gs(0x3D, rate), .gs(0x3E, depth),
    ]
    let period = Double(Self.rate) / (Double(rate) * 0.122)
    let delays = try Self.delays(settings, seconds: 4 * period / 48_000 + 0.2)
    let settled = Array(delays[9_600...])
    let (least, most) = (settled.min() ?? 0, settled.max() ?? 0)
    #expect(abs(least / 48 - (0.1 + Float(delay) / 127 * 25)) < 0.1, "\(least / 48)")
    #expect(abs((most - least) / 48 - Float(depth + 1) / 3.2) < 0.15, "\((most - least) / 48)")
    #expect(abs(try Self.period(of: settled) / period - 1) < 0.02)
  }

  @Test func `the rate of XG's chorus is from its table`() throws {
    // 30 steps of 44 100 Hz / 2^20: 1.26 Hz.
    let settings: [Setting] = [
      .xg(0x20, 0x43), .xg(0x24, 64), .xg(0x22, 30), .xg(0x23, 127),
    ]
    let delays = try Self.delays(settings, seconds: 3.5)
    let hertz = 48_000 / (try Self.period(of: Array(delays[9_600...])))
    #expect(abs(hertz - 1.2617) < 0.02, "\(hertz)")
  }

  /// 0.763 % per step, as in GM2.
  @Test(arguments: [0, 40, 112])
  func `the feedback of the chorus repeats an impulse`(feedback: Int) throws {
    let settings: [Setting] = [.gs(0x38, 6), .gs(0x3B, feedback), .gs(0x3C, 100)]
    let heard = try SystemSoundRig.heard(settings, seconds: 0.2, SystemSoundRig.impulse)[2]
    let step = (0.0001 + 100.0 / 127 * 0.025) * Double(Self.rate)
    for number in 1...3 {
      let place = Int(step * Double(number))
      let sum = heard[place - 6...place + 6].reduce(0, +)
      let expected = 1.5 * pow(Float(feedback) * 0.00763, Float(number - 1))
      #expect(abs(sum - expected) < 0.02, "\(number): \(sum) \(expected)")
    }
  }

  @Test func `the first four macros are FluidSynth's chorus, and their values change nothing`() {
    let tables: [[Int]] = [
      [0, 112, 3, 5], [5, 80, 9, 19], [8, 80, 3, 19], [16, 64, 9, 16], [64, 127, 2, 24],
      [112, 127, 1, 5], [0, 127, 0, 127], [80, 127, 0, 127],
    ]
    for (macro, table) in tables.enumerated() {
      let values = (0..<4).map { Setting.gs(0x3B + $0, table[$0]) }
      let set = SystemSoundRig.effects([.gs(0x38, macro)] + values).chorus
      #expect(set.isOwn == (macro > 3) && !set.isTreated)
      #expect(set.program == SystemSoundRig.effects([.gs(0x38, macro)]).chorus.program)
      let other: [Setting] = [.gs(0x39, 4), .gs(0x3B, 99), .gs(0x3F, 9), .gs(0x40, 9)]
      #expect(!SystemSoundRig.effects(other + [.gs(0x38, macro)]).chorus.isTreated)
    }
  }

  @Test func `the chorus sends to the reverb at the level of a part with the same send`() throws {
    for (setting, isXG) in [(Setting.gs(0x3F, 127), false), (.xg(0x2E, 127), true)] {
      let kind: Setting = isXG ? .xg(0, 1) : .gs(0x30, 4)
      // Both get an impulse that is small enough for the treble in FluidSynth's voices. The
      // difference is from the chorus, whose sides are inverse to each other.
      func heard(_ settings: [Setting]) throws -> [[Float]] {
        try SystemSoundRig.heard(settings, seconds: 1.5) { SystemSoundRig.impulse($0) * 0.01 }
      }
      let (plain, more) = (try heard([kind]), try heard([kind, setting]))
      let added = zip(more[0], plain[0]).map { $0 - $1 }
      let gain = (plain[2].rms + plain[3].rms) / 1.4142 * 0.2
      let send = 0.01 / (1.5 * 48_000 as Float).squareRoot()
      #expect(abs(added.rms / plain[0].rms / (gain / send) - 1) < 0.3)
    }
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `switching between all kinds allocates nothing`() throws {
    let handle = UnsafeMutablePointer<EffectsHandle>.allocate(capacity: 1)
    unsafe handle.initialize(to: try EffectsHandle(hertz: Self.rate))
    defer { unsafe handle.deinitialize(count: 1).deallocate() }
    var system = SystemSound(rate: .hertz48000)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 384)
    unsafe samples.initialize(repeating: 0.1, count: 384)
    let wet = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 4)
    defer {
      unsafe samples.deallocate()
      unsafe wet.deallocate()
    }
    for channel in 0..<4 { unsafe (wet + channel).initialize(to: samples + channel * 64) }
    let effects = Self.manyEffects()
    callocationcounter_begin()
    // An iterator would create the metadata of its type here.
    var place = 0
    while place < effects.count {
      system.take(effects[place])
      place += 1
      for _ in 0..<8 {
        unsafe system.render(
          handle, toReverb: samples + 256, toChorus: samples + 320, wet: wet, frame: 0)
      }
    }
    system.clear()
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0 && counts.frees == 0)
    #expect(effects.count == 8)
  }

  private static func manyEffects() -> [SystemEffects] {
    let kinds: [[Setting]] = [
      [.gs(0x30, 6)], [.gs(0x30, 7)], [.gs(0x30, 4), .gs(0x34, 4)], [.gs(0x38, 5)],
      [.xg(0, 1), .xg(2, 68)], [.xg(0x20, 0x41), .xg(0x22, 9)], [.xg(0x20, 0x48), .xg(0x22, 9)],
      [],
    ]
    return kinds.map(SystemSoundRig.effects)
  }
}
