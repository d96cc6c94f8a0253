// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct ReverbUnitTests {
  private static let rate = Rate.studio
  private let impulse = ImpulseUnit()

  private func reverb(decay: Float, damping: Float = 0, size: Float = 12) -> ReverbUnit {
    let reverb = ReverbUnit(rate: Self.rate)
    for (setting, value) in [
      (.decay, decay), (.damping, damping), (.size, size), (.preDelay, 0), (.mix, 1), (.early, 0),
      (.modulation, 0),
    ] as [(ReverbUnit.Setting, Float)] {
      reverb.parameters.hold(setting, to: value)
    }
    return reverb
  }

  /// The reverb's response to one sample, in one channel.
  private func response(_ reverb: ReverbUnit, seconds: Double) throws -> [Float] {
    let listener = try PlanListener(impulse, through: reverb)
    return listener.render(quanta: Int(seconds * 48_000 / 64))[0]
  }

  /// The time in which a response decays by 60 dB, from a line fitted to its energy decay curve
  /// between −5 and −35 dB (ISO 3382-1: T30).
  private func decay(of response: [Float]) -> Double {
    var rest = 0.0
    var curve = response.reversed().map { sample in
      rest += Double(sample) * Double(sample)
      return rest
    }
    curve.reverse()
    let points = curve.enumerated().compactMap { frame, energy -> (Double, Double)? in
      let level = 10 * log10(max(energy, 1e-30) / curve[0])
      return (-35 ... -5).contains(level) ? (Double(frame) / 48_000, level) : nil
    }
    let count = Double(points.count)
    let times = points.reduce(0) { $0 + $1.0 } / count
    let levels = points.reduce(0) { $0 + $1.1 } / count
    let both = points.reduce(0) { $0 + ($1.0 - times) * ($1.1 - levels) }
    let square = points.reduce(0) { $0 + ($1.0 - times) * ($1.0 - times) }
    return -60 / (both / square)
  }

  @Test(arguments: [(0.3, 5), (1, 12), (2, 30)] as [(Float, Float)])
  func `the sound decays by 60 dB in the given time`(seconds: Float, size: Float) throws {
    let response = try response(
      reverb(decay: seconds, size: size), seconds: Double(seconds) * 1.1 + 0.1)
    #expect(abs(decay(of: response) / Double(seconds) - 1) < 0.05, "\(decay(of: response)) s")
  }

  @Test func `damping shortens high frequencies, and keeps the time of low ones`() throws {
    let response = try response(reverb(decay: 1, damping: 0.5), seconds: 1.2)
    let low = decay(of: filtered(response, .lowPass, hertz: 200))
    let high = decay(of: filtered(response, .highPass, hertz: 20_000))
    #expect(abs(low - 1) < 0.05, "\(low) s")
    #expect(high > 0.45 && high < 0.62, "\(high) s")
  }

  private func filtered(
    _ samples: [Float], _ kind: EqualizerUnit.Kind, hertz: Float
  ) -> [Float] {
    // Two one-pole filters, computed here.
    let share = 1 - exp(-2 * Double.pi * Double(hertz) / 48_000)
    return (0..<2).reduce(samples) { samples, _ in
      var held = 0.0
      return samples.map { sample in
        held += share * (Double(sample) - held)
        return Float(kind == .lowPass ? held : Double(sample) - held)
      }
    }
  }

  @Test func `the room keeps the level of noise, whatever the decay`() throws {
    for seconds in [0.5, 2] as [Float] {
      let noise = GeneratorUnit(.whiteNoise, rate: Self.rate)
      let other = GeneratorUnit(.whiteNoise, seed: 2, rate: Self.rate)
      let merger = MergerUnit(channelCounts: [1, 1])
      let unit = reverb(decay: seconds)
      var graph = AudioGraph()
      let both = graph.add(merger)
      let head = graph.add(unit)
      try graph.connect(graph.add(noise), to: both, input: 0)
      try graph.connect(graph.add(other), to: both, input: 1)
      try graph.connect(both, to: head)
      try graph.setHead(head)
      let listener = PlanListener(try graph.compile())
      listener.render(quanta: Int(seconds * 48_000 / 64))
      let heard = listener.render(quanta: 600)
      for channel in heard {
        let level = decibels(Double(channel.rms)) - decibels(0.5 / 3.0.squareRoot())
        #expect(abs(level) < 2, "\(level) dB at \(seconds) s")
      }
    }
  }

  @Test func `left and right differ, and both contain either input`() throws {
    let listener = try PlanListener(ImpulseUnit(channel: 0), through: reverb(decay: 0.5))
    let heard = listener.render(quanta: 400)
    let (left, right) = (Double(heard[0].rms), Double(heard[1].rms))
    #expect(left > 0 && abs(decibels(left / right)) < 2)
    let common = zip(heard[0], heard[1]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    #expect(abs(common / Double(heard[0].count) / (left * right)) < 0.2)
  }

  @Test func `the pre-delay is silent, and exact to the frame`() throws {
    let early = reverb(decay: 0.5)
    let late = reverb(decay: 0.5)
    late.parameters.hold(ReverbUnit.Setting.preDelay, to: 0.1)
    let now = try response(early, seconds: 0.3)
    let then = try response(late, seconds: 0.4)
    #expect(then[..<4800].allSatisfy { $0 == 0 })
    #expect(Array(then[4800..<(4800 + 14_000)]) == Array(now[..<14_000]))
  }

  @Test func `without mix the sound passes, and silence stays silent`() throws {
    let dry = reverb(decay: 1)
    dry.parameters.hold(ReverbUnit.Setting.mix, to: 0)
    let tone = SignalUnit.tone(1000)
    let passed = try PlanListener(tone, through: dry).render(quanta: 50)[0]
    #expect(passed == (0..<3200).map { SignalUnit.value(tone.signal, $0) })
    let silent = try PlanListener(SignalUnit(.constant(0)), through: reverb(decay: 60))
    #expect(silent.render(quanta: 200).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test func `the decay ends in silence, never in denormal numbers`() throws {
    let unit = reverb(decay: 0.2, size: 2)
    let heard = try response(unit, seconds: 3.2)
    #expect(heard.allSatisfy { $0 == 0 || $0.isNormal })
    #expect(heard.suffix(4800).allSatisfy { $0 == 0 })
    // After the reported tail, everything is below −100 dB.
    #expect(heard[unit.tail...].allSatisfy { abs($0) < 1e-5 })
    #expect(heard[..<unit.tail].contains { abs($0) > 1e-5 })
  }

  @Test func `changes of size and decay do not click`() throws {
    let unit = reverb(decay: 1)
    let listener = try PlanListener(SignalUnit.tone(200, amplitude: 0.3), through: unit)
    listener.render(quanta: 1000)
    let calm = steepest(listener.render(quanta: 300)[0])
    unit[.size] = 30
    let moved = steepest(listener.render(quanta: 100)[0])
    unit[.decay] = 0.3
    let shorter = steepest(listener.render(quanta: 100)[0])
    #expect(moved < 4 * calm, "\(moved) \(calm)")
    #expect(shorter < 4 * calm, "\(shorter) \(calm)")
  }

  /// The greatest change of slope from one frame to the next, which is large for a click.
  private func steepest(_ samples: [Float]) -> Float {
    zip(zip(samples, samples.dropFirst()), samples.dropFirst(2)).map { pair, next in
      abs(next - 2 * pair.1 + pair.0)
    }.max() ?? 0
  }

  @Test func `a reverb of one channel works at any rate`() throws {
    for rate in [SampleRate.hertz44100, SampleRate(hertz: 8000), SampleRate(hertz: 192_000)] {
      let rate = try #require(rate)
      let unit = ReverbUnit(channelCount: 1, rate: rate)
      let noise = GeneratorUnit(.whiteNoise, rate: rate)
      unit[.size] = 2
      let heard = try PlanListener(noise, through: unit).render(quanta: 200)[0]
      #expect(heard.contains { $0 != 0 } && heard.allSatisfy { $0.isFinite && abs($0) < 8 })
    }
  }

  @Test func `low frequencies have a separate decay time`() throws {
    let unit = reverb(decay: 1)
    unit.parameters.hold(ReverbUnit.Setting.lowDecay, to: 2)
    let response = try response(unit, seconds: 2)
    let low = decay(of: filtered(response, .lowPass, hertz: 40))
    let high = decay(of: filtered(response, .highPass, hertz: 3000))
    #expect(low > 1.75 && low < 2.05, "\(low) s")
    #expect(abs(high - 1) < 0.06, "\(high) s")
  }

  /// The share of samples that are further from zero than the standard deviation, relative to that
  /// of noise.
  ///
  /// Source: Abel and Huang, A simple, robust measure of reverberation echo density (2006).
  private func density(_ samples: ArraySlice<Float>) -> Double {
    let deviation = (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
    let outside = samples.count { abs($0) > deviation }
    return Double(outside) / Double(samples.count) / 0.3173
  }

  @Test func `its echoes soon are as dense as noise, and stay so`() throws {
    let response = try response(room(), seconds: 1)
    for start in stride(from: 4800, to: 43_000, by: 960) {
      let density = density(response[start..<start + 960])
      #expect(density > 0.75, "\(density) at frame \(start)")
    }
  }

  /// A room with its default settings, without dry sound.
  private func room() -> ReverbUnit {
    let unit = ReverbUnit(rate: Self.rate)
    unit.parameters.hold(ReverbUnit.Setting.mix, to: 1)
    return unit
  }

  /// The level of the strongest frequency of the tail above its neighbours.
  ///
  /// It is about 10 dB for noise, the strongest of thousands of frequencies, and more for a tone
  /// that keeps ringing.
  @Test func `no frequency rings on`() throws {
    let unit = room()
    unit.parameters.hold(ReverbUnit.Setting.damping, to: 0)
    let tail = try response(unit, seconds: 2)[48_000...]
    let level: [Float] = tail.enumerated().map { frame, sample in
      let seconds = Double(frame) / 48_000
      return sample * Float(pow(10, 1.5 * seconds))
    }
    let powers = Spectrum(level, hertz: 48_000).amplitudes[200..<6000].map { $0 * $0 }
    var highest = 0.0
    for place in 100..<powers.count - 100 {
      let around: Double = powers[place - 100...place + 100].reduce(0, +) / 201
      highest = max(highest, powers[place] / around)
    }
    #expect(10 * log10(highest) < 13, "\(10 * log10(highest)) dB")
  }

  @Test func `the first reflections precede the room, at the same level`() throws {
    let unit = reverb(decay: 1, size: 30)
    unit.parameters.hold(ReverbUnit.Setting.early, to: 1)
    let heard = try response(unit, seconds: 0.3)
    let taps = heard.filter { $0 != 0 }
    #expect(taps.count == 10 && abs(taps.reduce(0) { $0 + $1 * $1 } - 1) < 1e-4)
    #expect((heard.onset() ?? 0) < 700)
  }

  @Test func `without width both sides are equal, with the same total level`() throws {
    let wide = try PlanListener(impulse, through: reverb(decay: 0.5)).render(quanta: 400)
    let unit = reverb(decay: 0.5)
    unit.parameters.hold(ReverbUnit.Setting.width, to: 0)
    let narrow = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 400)
    #expect(zip(narrow[0], narrow[1]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(abs(decibels(Double(narrow[0].rms / wide[0].rms))) < 1.5)
  }
}
