// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct GateUnitTests {
  private let gate = GateUnit(rate: Rate.studio)
  private let source = SignalUnit(.constant(0))

  private func set(_ values: [(GateUnit.Setting, Float)]) {
    for (setting, value) in values { gate.parameters.hold(setting, to: value) }
  }

  private func level(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  @Test func `sound below the threshold is silent, sound above passes bit for bit`() throws {
    let listener = try PlanListener(source, through: gate)
    source.signal = .constant(level(-51))
    #expect(listener.render(quanta: 50)[0].allSatisfy { $0 == 0 })
    source.signal = .constant(level(-49))
    listener.render(quanta: 20)
    #expect(listener.render(quanta: 5)[0].allSatisfy { $0 == level(-49) })
    #expect(gate.gain == 1)
  }

  @Test func `attack and release are the times for 63 % of the change, after the hold`() throws {
    set([(.attack, 0.01), (.release, 0.05), (.hold, 0.02)])
    let listener = try PlanListener(source, through: gate)
    listener.render(quanta: 10)
    source.signal = .constant(0.5)
    let rising = listener.render(quanta: 150)[0]
    for frame in [0, 100, 479, 2000] {
      let expected = 0.5 * (1 - exp(-Double(frame + 1) / 480))
      #expect(abs(Double(rising[frame]) - expected) < 1e-5)
    }
    let quiet = level(-60)
    source.signal = .constant(quiet)
    let falling = listener.render(quanta: 400)[0]
    // 0.02 s are 960 frames.
    #expect(falling[..<960].allSatisfy { $0 == quiet })
    for frame in [960, 1500, 5000] {
      let expected = Double(quiet) * exp(-Double(frame - 959) / 2400)
      #expect(abs(Double(falling[frame]) / expected - 1) < 0.001)
    }
  }

  @Test func `the gate closes only below the threshold less the hysteresis`() throws {
    set([(.threshold, -40), (.hysteresis, 10), (.hold, 0), (.release, 0.001)])
    let listener = try PlanListener(source, through: gate)
    for (input, isOpen) in [(-45, false), (-39, true), (-49, true), (-51, false), (-45, false)]
      as [(Double, Bool)]
    {
      source.signal = .constant(level(input))
      listener.render(quanta: 60)
      #expect((gate.gain == 1) == isOpen, "\(input) dB")
    }
  }

  @Test func `the range is the level that remains when the gate is closed`() throws {
    set([(.range, -20)])
    source.signal = .constant(level(-60))
    let heard = try PlanListener(source, through: gate).render(quanta: 20)[0]
    #expect(heard.allSatisfy { abs(decibels(Double($0)) + 80) < 0.01 })
  }

  @Test func `the look-ahead set at creation is the latency`() throws {
    let unit = GateUnit(lookAhead: 100, rate: Rate.studio)
    unit.parameters.hold(GateUnit.Setting.attack, to: 0.0005)
    let listener = try PlanListener(ImpulseUnit(), through: unit)
    #expect(listener.plan.latency == 100)
    let heard = listener.render(quanta: 4)[0]
    #expect(heard.onset() == 100 && heard[100] > 0.98)
  }

  @Test func `all channels get the same gain`() throws {
    let listener = try PlanListener(ImpulseUnit(channel: 1), through: gate)
    listener.render(quanta: 1)
    #expect(gate.gain > 0.5)
  }
}
