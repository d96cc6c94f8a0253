// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import Testing

@Suite struct MixerUnitTests {
  /// A signal through one strip.
  private struct Rig {
    let signal: SignalUnit
    let mixer: MixerUnit
    let plan: RenderPlan
    var frame: Int64 = 0

    init(_ signal: SignalUnit.Signal) throws {
      self.signal = SignalUnit(signal)
      mixer = MixerUnit(stripCount: 1, rate: try #require(SampleRate(hertz: 48_000)))
      var graph = AudioGraph()
      let source = graph.add(self.signal)
      let sum = graph.add(mixer)
      try graph.connect(source, to: sum)
      try graph.setHead(sum)
      plan = try graph.compile()
    }

    /// Renders quanta; returns both channels.
    mutating func render(quanta: Int) -> (left: [Float], right: [Float]) {
      var left: [Float] = []
      var right: [Float] = []
      for _ in 0..<quanta {
        plan.render(at: SampleTime(frames: frame))
        frame += 64
        for index in 0..<64 {
          left.append(plan.output[0, index])
          right.append(plan.output[1, index])
        }
      }
      return (left, right)
    }
  }

  @Test func `a mixer at its defaults passes the signal bit for bit`() throws {
    var rig = try Rig(.count)
    let heard = rig.render(quanta: 10)
    #expect(heard.left == (0..<640).map { Float($0) / 1_000_000 })
    #expect(heard.right == (0..<640).map { -Float($0) / 1_000_000 })
  }

  @Test func `a gain that is set before the first quantum applies from the first frame`() throws {
    var rig = try Rig(.count)
    rig.mixer[0].gain = 0.5
    rig.mixer.sum.gain = 0
    #expect(rig.render(quanta: 1).left.allSatisfy { $0 == 0 })
    rig.mixer.sum.gain = 1
    let left = rig.render(quanta: 5).left
    // Later changes are ramps.
    #expect(left[0] > 0 && left[0] < 64 / 2_000_000.0 && left[319] == 383 / 2_000_000.0)
  }

  @Test(arguments: [
    (PanLaw.balance, 0.0, 0.0), (.constantPower, -3.0103, -3.0103), (.linear, -6.0206, -6.0206),
    (.compromise, -4.5154, -4.5154),
  ])
  func `each law has its nominal level in the middle`(law: PanLaw, left: Double, right: Double) {
    let gains = law.gains(at: 0)
    #expect(abs(Double(Level.decibels(gains.left)) - left) < 0.001)
    #expect(abs(Double(Level.decibels(gains.right)) - right) < 0.001)
  }

  @Test(arguments: PanLaw.allCases)
  func `at each side the other channel is silent, and left mirrors right`(law: PanLaw) {
    #expect(law.gains(at: -1) == (1, 0))
    #expect(law.gains(at: 1) == (0, 1))
    #expect(law.gains(at: 7) == (0, 1))
    for step in 0...20 {
      let pan = Float(step) / 20
      let right = law.gains(at: pan)
      let left = law.gains(at: -pan)
      #expect(abs(right.left - left.right) < 1e-6)
      #expect(abs(right.right - left.left) < 1e-6)
    }
  }

  @Test func `constant power is constant and linear sums to one`() {
    for step in -20...20 {
      let pan = Float(step) / 20
      let power = PanLaw.constantPower.gains(at: pan)
      #expect(abs(power.left * power.left + power.right * power.right - 1) < 1e-6)
      let linear = PanLaw.linear.gains(at: pan)
      #expect(abs(linear.left + linear.right - 1) < 1e-6)
    }
  }

  @Test func `a change of gain takes 5 ms in a straight line`() throws {
    var rig = try Rig(.constant(1))
    _ = rig.render(quanta: 1)
    rig.mixer[0].gain = 0.5
    let heard = rig.render(quanta: 5).left
    for frame in 0..<240 {
      let expected = 1 - 0.5 * Float(frame + 1) / 240
      #expect(abs(heard[frame] - expected) < 1e-5)
    }
    #expect(heard[239...].allSatisfy { $0 == 0.5 })
  }

  @Test func `mute is silence, and ends without a step`() throws {
    var rig = try Rig(.constant(1))
    rig.mixer[0].isMuted = true
    #expect(rig.render(quanta: 5).left[240...].allSatisfy { $0 == 0 })
    rig.mixer[0].isMuted = false
    let heard = rig.render(quanta: 5).left
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 1 / 239 })
    #expect(heard[240...].allSatisfy { $0 == 1 })
  }

  @Test func `the gains of strip, pan and sum multiply`() throws {
    var rig = try Rig(.constant(0.5))
    rig.mixer[0].gain = 0.5
    rig.mixer[0].pan = 0.5
    rig.mixer.sum.gain = 2
    let heard = rig.render(quanta: 6)
    #expect(heard.left[300] == 0.25)
    #expect(heard.right[300] == 0.5)
  }

  @Test func `settings outside their range are limited to it`() throws {
    let rig = try Rig(.constant(0))
    rig.mixer[0].gain = -1
    rig.mixer[0].pan = 3
    #expect(rig.mixer[0].gain == 0)
    #expect(rig.mixer[0].pan == 1)
    rig.mixer[0].gain = 100
    rig.mixer[0].pan = .nan
    #expect(rig.mixer[0].gain == 16)
    #expect(rig.mixer[0].pan == 0)
  }

  /// A sine of amplitude 0.5 has its peak at −6.02 dB and its RMS level at −9.03 dB.
  @Test func `meters agree with theory to a tenth of a decibel`() throws {
    var rig = try Rig(.sine(radians: 0.06, amplitude: 0.5))
    _ = rig.render(quanta: 2250)
    let level = rig.mixer.level(of: 0).left
    #expect(abs(Level.decibels(level.peak) + 6.02) < 0.1)
    #expect(abs(Level.decibels(level.rms) + 9.03) < 0.1)
    #expect(abs(Level.decibels(level.maximum) + 6.02) < 0.1)
    #expect(rig.mixer.sumLevel.right == level)
  }

  @Test func `a meter reaches zero without denormal numbers`() throws {
    var meter = LevelMeter(rate: try #require(SampleRate(hertz: 8000)))
    let loud = [Float](repeating: 1, count: 64)
    let silence = [Float](repeating: 0, count: 64)
    unsafe loud.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe meter.measure($0) } }
    var quanta = 0
    while meter.level.peak > 0 || meter.level.meanSquare > 0, quanta < 100_000 {
      unsafe silence.withUnsafeBufferPointer {
        unsafe $0.baseAddress.map { unsafe meter.measure($0) }
      }
      quanta += 1
      #expect(!meter.level.peak.isSubnormal && !meter.level.meanSquare.isSubnormal)
    }
    #expect(quanta < 100_000)
    #expect(meter.level.maximum == 1)
  }

  @Test func `invalid samples do not stay in a meter`() throws {
    var rig = try Rig(.constant(.nan))
    _ = rig.render(quanta: 10)
    rig.signal.signal = .constant(0.5)
    _ = rig.render(quanta: 2250)
    let level = rig.mixer.level(of: 0).left
    #expect(abs(Level.decibels(level.rms) + 6.02) < 0.1)
    #expect(level.peak == 0.5)
  }

  @Test func `a peak falls 20 dB in 1.7 s and the maximum stays`() throws {
    var rig = try Rig(.constant(1))
    _ = rig.render(quanta: 1)
    rig.signal.signal = .constant(0)
    _ = rig.render(quanta: 1275)
    let level = rig.mixer.level(of: 0).left
    #expect(abs(Level.decibels(level.peak) + 20) < 0.1)
    #expect(level.maximum == 1)
  }
}
