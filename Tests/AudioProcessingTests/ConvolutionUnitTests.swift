// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct ConvolutionUnitTests {
  /// Noise that dies away.
  private func response(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { index in
      let noise = Float(Int(random.next() % 2001) - 1000) / 1000
      return noise * (1 - Float(index) / Float(count + 1))
    }
  }

  /// Each part size and its first and last partitions: a sample, a quantum and one more, up to
  /// blocks of 4096.
  @Test(arguments: [1, 63, 64, 65, 513, 600, 2049, 3000, 8300, 20_000])
  func `the output is the convolution of the input with the response`(length: Int) throws {
    let response = response(length, seed: 3)
    let noise = GeneratorUnit(.whiteNoise, rate: Rate.studio)
    let quanta = (length + 9000) / 64
    let unit = ConvolutionUnit(response: [response], channelCount: 1, rate: Rate.studio)
    let heard = try PlanListener(noise, through: unit).render(quanta: quanta)[0]
    let sent = try PlanListener(GeneratorUnit(.whiteNoise, rate: Rate.studio))
      .render(quanta: quanta)[0]
    let places =
      [0, 1, 63, 64, 65, 511, 512, 2047, 2048, 8191, 8192]
      + stride(from: 100, to: heard.count, by: 1777)
    let scale = Double(response.reduce(0) { $0 + $1 * $1 }).squareRoot() * 0.3
    for place in places where place < heard.count {
      var sum = 0.0
      for tap in 0..<min(length, place + 1) {
        sum += Double(response[tap]) * Double(sent[place - tap])
      }
      let error = abs(sum - Double(heard[place])) / max(scale, 1e-3)
      #expect(error < 2e-5, "frame \(place): \(error)")
    }
  }

  @Test func `an impulse gives the response, from the first frame on`() throws {
    let response = response(5000, seed: 5)
    let unit = ConvolutionUnit(response: [response], rate: Rate.studio)
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 100)
    #expect(unit.latency == 0 && unit.tail == 4999)
    for channel in heard {
      #expect(zip(channel, response).allSatisfy { abs($0 - $1) < 1e-5 })
      #expect(channel[5000...].allSatisfy { abs($0) < 1e-5 })
    }
  }

  @Test func `four responses connect each input channel to each output channel`() throws {
    let paths = (0..<4).map { path in
      var response = [Float](repeating: 0, count: 700)
      response[path * 200] = 1
      return response
    }
    for side in 0...1 {
      let unit = ConvolutionUnit(response: paths, rate: Rate.studio)
      let heard = try PlanListener(ImpulseUnit(channel: side), through: unit).render(quanta: 20)
      for other in 0...1 {
        #expect(heard[other].onset(above: 1e-3) == (2 * side + other) * 200)
      }
    }
  }

  @Test func `two channels stay apart`() throws {
    let unit = ConvolutionUnit(response: [[0, 1], [1, 0]], rate: Rate.studio)
    let left = try PlanListener(ImpulseUnit(channel: 0), through: unit).render(quanta: 2)
    #expect(left[0].onset() == 1 && left[1].onset() == nil)
  }

  @Test func `a normalised response keeps the level of noise`() throws {
    let unit = ConvolutionUnit(
      response: [response(3000, seed: 9).map { $0 * 20 }], isNormalised: true, channelCount: 1,
      rate: Rate.studio)
    let noise = GeneratorUnit(.whiteNoise, rate: Rate.studio)
    let listener = try PlanListener(noise, through: unit)
    listener.render(quanta: 60)
    let heard = listener.render(quanta: 600)[0]
    #expect(abs(decibels(Double(heard.rms)) - decibels(0.5 / 3.0.squareRoot())) < 1)
  }

  @Test func `level and mix have their documented effect`() throws {
    let unit = ConvolutionUnit(response: [[0, 1]], rate: Rate.studio)
    unit.parameters.hold(ConvolutionUnit.Setting.level, to: -6.0206)
    unit.parameters.hold(ConvolutionUnit.Setting.mix, to: 0.5)
    let heard = try PlanListener(ImpulseUnit(), through: unit).render(quanta: 1)[0]
    #expect(abs(heard[0] - 0.5) < 1e-6 && abs(heard[1] - 0.25) < 1e-6)
  }
}
