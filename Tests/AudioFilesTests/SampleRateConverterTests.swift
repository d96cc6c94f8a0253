// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

/// The level of a converted tone, and of the artefacts of the conversion.
@Suite struct SampleRateConverterTests {
  /// One second of a sine at full scale, converted, without the edges.
  private static func convert(_ tone: Double, from source: Int, to target: Int) throws -> [Float] {
    let converter = try SampleRateConverter(
      from: try #require(SampleRate(hertz: source)), to: try #require(SampleRate(hertz: target)),
      channelCount: 1)
    let samples = (0..<source).map { sin(2 * Double.pi * tone * Double($0) / Double(source)) }
    var result: [Double] = []
    converter.convert(samples.span, into: &result)
    converter.finish(into: &result)
    #expect(result.count == target)
    return result[(target / 4)..<(3 * target / 4)].map { Float($0) }
  }

  /// Each tone would alias to another one, mirrored at half the target rate.
  @Test(
    arguments: [
      (30_000.0, 96_000, 48_000), (47_000, 96_000, 48_000), (25_000, 96_000, 48_000),
      (23_000, 48_000, 44_100), (60_000, 192_000, 48_000), (20_000, 44_100, 32_000),
    ])
  func `aliases are more than 100 dB below the tone`(
    tone: Double, source: Int, target: Int
  ) throws {
    let heard = try Self.convert(tone, from: source, to: target)
    #expect(decibels(Double(heard.rms) * 2.squareRoot()) < -100)
  }

  /// The images about multiples of the lower rate are also removed.
  @Test(arguments: [(44_100, 48_000), (48_000, 96_000), (22_050, 48_000), (96_000, 44_100)])
  func `a tone keeps its level without images`(source: Int, target: Int) throws {
    let heard = try Self.convert(1000, from: source, to: target)
    let found = Tone(heard, hertz: 1000, rate: Double(target))
    #expect(abs(decibels(found.amplitude)) < 0.01)
    let rest = heard.indices.map { index in
      let angle = 2 * Double.pi * 1000 * Double(index) / Double(target) + found.phase
      return Float(Double(heard[index]) - found.amplitude * sin(angle))
    }
    #expect(decibels(Double(rest.rms) * 2.squareRoot()) < -100)
  }
}
