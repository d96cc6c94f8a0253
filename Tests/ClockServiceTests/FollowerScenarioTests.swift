// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// The scenarios of the tests of a published receiver (The Spectacular Sync Engine), by their
/// names.
///
/// One has a different result: `spp_while_running` locates there, and is ignored here, as by most
/// receivers (`MIDIClockFollowerTests`). Tempi must be within 0.01 BPM: arrivals are whole
/// nanoseconds.
@Suite struct FollowerScenarioTests {
  private func gauss(_ seed: UInt64, _ part: Double, tempo: Double) -> () -> Double {
    var generator = SplitMix(seed: seed)
    return {
      let sum = (0..<12).reduce(0.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) }
      return (sum - 6) * part * 2.5e9 / tempo
    }
  }

  @Test func `steady125`() {
    var wire = ClockWire()
    wire.clocks(24, tempo: 125)
    #expect(abs(wire.tempo - 125) < 1e-9)
    #expect(wire.follower.position == MIDIClock(count: 0))
  }

  @Test func `start_then_tick`() throws {
    var wire = ClockWire()
    wire.clocks(24, tempo: 125)
    wire.send(0xFA)
    #expect(wire.follower.transport != .running)
    wire.clocks(1, tempo: 125)
    #expect(abs(try #require(wire.quarters(at: wire.now))) < 1e-6)
    wire.clocks(96, tempo: 125)
    #expect(abs(try #require(wire.quarters(at: wire.now)) - 4) < 1e-6)
  }

  @Test func `stop`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(40, tempo: 125)
    wire.now = wire.now.advanced(byNanoseconds: 9_000_000)
    wire.send(0xFC)
    #expect(wire.follower.position == MIDIClock(count: 39))
    wire.clocks(48, tempo: 126)
    #expect(wire.follower.position == MIDIClock(count: 39))
    #expect(abs(wire.tempo - 126) < 0.01)
  }

  @Test func `tempo_jump_125_to_180`() {
    var wire = ClockWire()
    wire.clocks(48, tempo: 125)
    wire.clocks(10, tempo: 180)
    #expect(abs(wire.tempo - 180) < 0.01)
  }

  @Test func `tempo_jump_125_to_250_running`() throws {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(48, tempo: 125)
    var last = try #require(wire.quarters(at: wire.now))
    for _ in 0..<24 {
      wire.clocks(1, tempo: 250)
      let quarters = try #require(wire.quarters(at: wire.now))
      let before = try #require(
        wire.quarters(at: wire.now.advanced(byNanoseconds: -1)))
      #expect(abs(quarters - before) < 1e-6)
      #expect(quarters > last)
      last = quarters
    }
    #expect(abs(wire.tempo - 250) < 0.01)
  }

  @Test(arguments: [40.0, 60, 80, 120, 240, 360, 480])
  func `a tempo that becomes a multiple or a part is not a fault of the line`(tempo: Double) {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(96, tempo: 120)
    wire.clocks(48, tempo: tempo)
    #expect(abs(wire.tempo - tempo) < 0.01 * tempo)
    #expect(wire.follower.position == MIDIClock(count: 143))
  }

  @Test func `nonintegral_125.31`() {
    var wire = ClockWire()
    wire.clocks(24, tempo: 125.31)
    #expect(abs(wire.tempo - 125.31) < 1e-5)
  }

  @Test(arguments: UInt64(1)...20)
  func `jitter_125`(seed: UInt64) {
    var wire = ClockWire()
    let noise = gauss(seed, 0.04, tempo: 125)
    var shown: [Int] = []
    wire.clocks(
      120, tempo: 125, jitter: { abs(noise()) },
      each: { wire in
        guard let estimate = wire.follower.estimate, estimate.count >= 24 else { return }
        let now = wire.follower.tempo?.shownHundredths ?? 0
        if now != shown.last { shown.append(now) }
      })
    #expect(shown.count <= 4, "\(shown)")
    #expect(shown.allSatisfy { abs($0 - 125_00) <= 50 }, "\(shown)")
  }

  @Test(arguments: UInt64(1)...20)
  func `jitter_160`(seed: UInt64) throws {
    var wire = ClockWire()
    let noise = gauss(seed, 0.04, tempo: 160)
    wire.clocks(16, tempo: 160, jitter: noise)
    #expect(abs(wire.tempo - 160) < 2)
    wire.clocks(48, tempo: 160, jitter: noise)
    #expect(abs(wire.tempo - 160) < 0.3)
    #expect(((wire.follower.tempo?.shownHundredths ?? 0) + 50) / 100 == 160)
  }

  @Test(arguments: [120.6, 156.23])
  func `jitter_120.6, jitter_156.23`(tempo: Double) {
    var wire = ClockWire()
    let part = tempo == 120.6 ? 0.0009 : 0.00009
    wire.clocks(96, tempo: tempo, jitter: gauss(5, part, tempo: tempo))
    #expect(abs(wire.tempo - tempo) < 0.01)
    #expect(wire.follower.tempo?.shownHundredths == Int((tempo * 100).rounded()))
  }

  @Test(arguments: UInt64(1)...20)
  func `jitter_timeline`(seed: UInt64) throws {
    var wire = ClockWire()
    let noise = gauss(seed, 0.04, tempo: 125)
    wire.send(0xFA)
    let start = wire.now
    wire.clocks(300, tempo: 125, jitter: noise)
    // The timeline is compared with that of the master, without the offset of the downbeat.
    let quarters = try #require(wire.quarters(at: wire.now))
    let exact = Double(wire.now.nanoseconds - start.nanoseconds) / 480e6 - 1.0 / 24
    #expect(abs(quarters - exact) <= 1e-3)
  }
}
