// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import MusicalTime
import TestSupport
import Testing

struct SoundConverterTests {
  private func form(
    _ hertz: Int, _ channelCount: Int, isInterleaved: Bool = true
  ) throws -> SoundConverter.Form {
    SoundConverter.Form(
      rate: try #require(SampleRate(hertz: hertz)),
      layout: .usual(channelCount: channelCount), isInterleaved: isInterleaved)
  }

  /// A tone whose channels differ in level, interleaved.
  private func tone(_ frameCount: Int, hertz: Int, _ channelCount: Int = 1) -> [Double] {
    (0..<frameCount * channelCount).map { index in
      let (frame, channel) = (index / channelCount, index % channelCount)
      return 0.5 / Double(channel + 1) * sin(2 * .pi * 440 * Double(frame) / Double(hertz))
    }
  }

  private func all(_ converter: SoundConverter, _ samples: [Double]) -> [Double] {
    converter.push(samples.span)
    converter.finish()
    return converter.take(Double.self, frameCount: .max)
  }

  @Test(arguments: [
    (44_100, 48_000), (48_000, 44_100), (8_000, 96_000), (96_000, 8_000), (44_100, 44_100),
    (22_050, 16_000), (44_100, 11_025),
  ])
  func `every length gives the calculated frames, rounded to the nearest`(
    from: Int, to: Int
  ) throws {
    for length in [0, 1, 2, 3, 100, 147, 160, 999, 4_321] {
      let converter = try SoundConverter(from: form(from, 1), to: form(to, 1))
      let expected = (2 * length * to + from) / (2 * from)
      #expect(converter.frameCount(of: length) == expected)
      #expect(all(converter, tone(length, hertz: from)).count == expected, "\(length)")
      let needed = converter.sourceFrameCount(for: expected)
      #expect(converter.frameCount(of: needed) >= expected)
      #expect(needed == 0 || converter.frameCount(of: needed - 1) < expected)
    }
  }

  @Test func `a converted tone is exact down to the converter's noise`() throws {
    for (from, to) in [(44_100, 48_000), (48_000, 44_100), (32_000, 96_000)] {
      let converter = try SoundConverter(from: form(from, 2), to: form(to, 2))
      let output = all(converter, tone(from, hertz: from, 2))
      let expected = tone(to, hertz: to, 2)
      #expect(output.count == expected.count)
      let middle = 2 * 8_000..<2 * (to - 8_000)
      let difference = middle.map { abs(output[$0] - expected[$0]) }.max() ?? 1
      // −150 dB of full scale.
      #expect(difference < 3e-8, "\(from) \(to) \(difference)")
    }
  }

  @Test func `pieces of any size give the same output, pushed and pulled`() throws {
    var random = SplitMix(seed: 7)
    let samples = tone(20_000, hertz: 44_100, 2)
    let make = { try SoundConverter(from: form(44_100, 2), to: form(48_000, 2)) }
    let whole = all(try make(), samples)
    let pushed = try make()
    var (output, place) = ([Double](), 0)
    while place < samples.count {
      let end = min(samples.count, place + 2 * Int.random(in: 0...900, using: &random))
      pushed.push(samples.span.extracting(place..<end))
      place = end
      output += pushed.take(Double.self, frameCount: Int.random(in: 0...700, using: &random))
    }
    pushed.finish()
    output += pushed.take(Double.self, frameCount: .max)
    #expect(output == whole)
    let pulled = try make()
    (output, place) = ([], 0)
    func more(_ count: Int) -> [Double] {
      let start = place
      place = min(samples.count, place + 2 * min(count, 333))
      return Array(samples[start..<place])
    }
    var piece: [Double]
    repeat {
      let wanted = Int.random(in: 1...900, using: &random)
      piece = pulled.pull(Double.self, frameCount: wanted, from: more)
      output += piece
    } while !piece.isEmpty
    #expect(output == whole)
    try pushed.reset()
    #expect(all(pushed, samples) == whole)
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 48_000)], [1, 64, 512, 5_000])
  func `requests are for 512 frames or more, and stop after the end`(
    rates: (Int, Int), wanted: Int
  ) throws {
    let samples = tone(20_000, hertz: rates.0)
    let converter = try SoundConverter(from: form(rates.0, 1), to: form(rates.1, 1))
    var (output, requests, place) = ([Double](), [Int](), 0)
    func more(_ count: Int) -> [Double] {
      requests.append(count)
      let start = place
      place = min(samples.count, place + count)
      return Array(samples[start..<place])
    }
    var piece: [Double]
    repeat {
      piece = converter.pull(Double.self, frameCount: wanted, from: more)
      output += piece
    } while !piece.isEmpty
    #expect(converter.pull(Double.self, frameCount: wanted, from: more).isEmpty)
    #expect(requests.allSatisfy { $0 >= 512 })
    // One request finds the end.
    #expect(requests.count <= samples.count / 512 + 2)
    let whole = all(try SoundConverter(from: form(rates.0, 1), to: form(rates.1, 1)), samples)
    #expect(output == whole)
  }

  @Test func `frames before the sound are filtered but not returned`() throws {
    let samples = tone(44_100, hertz: 44_100)
    let whole = all(try SoundConverter(from: form(44_100, 1), to: form(48_000, 1)), samples)
    let primed = try SoundConverter(
      from: form(44_100, 1), to: form(48_000, 1), priming: .leading(frameCount: 147 * 20))
    let output = all(primed, samples)
    #expect(output == Array(whole[(160 * 20)...]))
    #expect(primed.frameCount(of: 44_100) == 48_000 - 160 * 20)
    // The tone is exact from the first frame on; without the earlier frames the filter would settle
    // first.
    let expected = tone(48_000, hertz: 48_000)[(160 * 20)...]
    #expect(zip(output.prefix(1_000), expected).allSatisfy { abs($0 - $1) < 3e-8 })
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (96_000, 44_100)])
  func `late frames are ready when their number is pushed`(from: Int, to: Int) throws {
    var random = SplitMix(seed: 3)
    let converter = try SoundConverter(from: form(from, 1), to: form(to, 1), priming: .late)
    let samples = tone(150_000, hertz: from)
    var (output, place) = ([Double](), 0)
    while place < samples.count {
      let end = min(samples.count, place + Int.random(in: 1...1_500, using: &random))
      converter.push(samples.span.extracting(place..<end))
      place = end
      output += converter.take(Double.self, frameCount: .max)
      #expect(output.count == place * to / from)
    }
    let whole = all(try SoundConverter(from: form(from, 1), to: form(to, 1)), samples)
    #expect(output.prefix(converter.latency).allSatisfy { $0 == 0 })
    let heard = output.dropFirst(converter.latency)
    #expect(!heard.isEmpty && heard.elementsEqual(whole.prefix(heard.count)))
  }

  @Test func `channels go to their loudspeakers in any order`() throws {
    let rate = SampleRate.hertz48000
    let usual = SoundConverter.Form(rate: rate, layout: .usual(channelCount: 6))
    let mpeg = SoundConverter.Form(
      rate: rate,
      layout: ChannelLayout([.centre, .left, .right, .sideLeft, .sideRight, .lowFrequency]))
    let there = try SoundConverter(from: usual, to: mpeg)
    let frame = [1, 2, 3, 4, 5, 6].map { Double($0) / 8 }
    let moved = all(there, frame)
    #expect(moved == [3, 1, 2, 5, 6, 4].map { $0 / 8 })
    #expect(all(try SoundConverter(from: mpeg, to: usual), moved) == frame)
    let stereo = all(try SoundConverter(from: usual, to: form(48_000, 2)), frame)
    #expect(stereo.count == 2 && stereo[0] < stereo[1] && stereo[1] <= 6 / 8)
    let mono = all(try SoundConverter(from: form(48_000, 2), to: form(48_000, 1)), [0.5, 0.25])
    #expect(mono == [0.375])
  }

  @Test func `channels are interleaved or contiguous`() throws {
    let apart = try SoundConverter(
      from: form(48_000, 2), to: form(48_000, 2, isInterleaved: false))
    let samples = (0..<8).map { Int16($0) }
    apart.push(samples.span)
    #expect(apart.take(Int16.self, frameCount: 3) == [0, 2, 4, 1, 3, 5])
    #expect(apart.take(Int16.self, frameCount: 3) == [6, 7])
    let together = try SoundConverter(
      from: form(48_000, 2, isInterleaved: false), to: form(48_000, 2))
    let planes: [Int16] = [0, 2, 4, 6, 1, 3, 5, 7]
    together.push(planes.span)
    #expect(together.take(Int16.self, frameCount: 4) == samples)
  }

  @Test func `unchanged samples are exact, and fewer bits are dithered`() throws {
    var random = SplitMix(seed: 9)
    let samples = (0..<10_000).map { _ in Int32(truncatingIfNeeded: random.next()) }
    let same = try SoundConverter(from: form(48_000, 1), to: form(48_000, 1))
    same.push(samples.span)
    #expect(same.take(Int32.self, frameCount: 10_000) == samples)
    // A tone of a third of a 16-bit step is lost by rounding, and preserved by dither.
    let quiet = (0..<48_000).map { 0.33 / 32_768 * sin(2 * .pi * 1_000 * Double($0) / 48_000) }
    for (dither, isKept) in [(Dither.none, false), (.triangular, true)] {
      let converter = try SoundConverter(
        from: form(48_000, 1), to: form(48_000, 1), bits: 16, dither: dither)
      converter.push(quiet.span)
      let output = converter.take(Int32.self, frameCount: 48_000)
      #expect(output.allSatisfy { $0 & 0xFFFF == 0 })
      let sum = zip(output, quiet).reduce(0.0) { $0 + $1.0.value * $1.1 }
      let level = sum / quiet.reduce(0) { $0 + $1 * $1 }
      #expect(abs(level - (isKept ? 1 : 0)) < 0.05, "\(dither) \(level)")
    }
  }
}
