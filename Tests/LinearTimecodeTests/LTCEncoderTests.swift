// SPDX-License-Identifier: Apache-2.0
import LinearTimecode
import MusicalTime
import Testing

@Suite struct LTCEncoderTests {
  private let hour = Timecode(frame: 107_892, rate: .fps2997Drop)

  @Test func `frames begin at their samples for a day, without drift`() throws {
    let encoder = try LTCEncoder(from: hour, sampleRate: .hertz48000)
    #expect((0...5).map(encoder.start) == [0, 1602, 3204, 4805, 6407, 8008])
    // 30 000 frames of 29.97 are 1001 s.
    #expect(encoder.start(ofFrame: 30_000) == SampleTime(frames: 1001 * 48_000))
    #expect(encoder.start(ofFrame: 2_589_408) == 4_147_195_853)
  }

  @Test func `pieces of any length give the same sound`() throws {
    var (whole, pieces): ([Float], [Float]) = ([], [])
    var encoder = try LTCEncoder(from: hour, sampleRate: .hertz44100)
    var other = encoder
    encoder.append(10_000, to: &whole)
    for count in [1, 7, 992, 3_000, 6_000] { other.append(count, to: &pieces) }
    #expect(whole == pieces)
  }

  @Test func `level and rise are right, and frames begin with a rising zero crossing`() throws {
    let rate = try #require(SampleRate(hertz: 192_000))
    var encoder = try LTCEncoder(
      from: Timecode(frame: 0, rate: .fps25), sampleRate: rate)
    encoder.amplitude = 0.5
    var sound: [Float] = []
    encoder.append(200_000, to: &sound)
    #expect(sound.max() == 0.5 && sound.min() == -0.5)
    for frame in 1..<20 {
      let start = Int(encoder.start(ofFrame: Int64(frame)).frames)
      #expect(sound[start] == 0 && sound[start - 1] < 0 && sound[start + 1] > 0)
    }
    // From −80 to 80 % of the level, which is 10 to 90 % of the edge, in 40 µs: 7.7 samples.
    let rising = sound[(7680 - 10)...(7680 + 10)].filter { abs($0) <= 0.4 }
    #expect(rising.count == 7)
  }

  @Test func `in reverse it is the sound of the tape played backwards`() throws {
    let last = Timecode(frame: 9, rate: .fps25)
    var forwards = try LTCEncoder(from: Timecode(frame: 0, rate: .fps25), sampleRate: .hertz48000)
    var backwards = try LTCEncoder(from: last, sampleRate: .hertz48000, isReversed: true)
    var (there, back): ([Float], [Float]) = ([], [])
    forwards.append(19_201, to: &there)
    backwards.append(19_201, to: &back)
    for (sample, mirrored) in zip(back, there.reversed()) where sample != 0 {
      #expect(abs(sample + mirrored) < 1e-6)
    }
  }

  @Test func `unsupported rates are refused`() throws {
    let fast = Timecode(frame: 0, rate: .fps50)
    #expect(throws: LTCError.tooFast(.fps50)) {
      try LTCEncoder(from: fast, sampleRate: .hertz48000)
    }
    let few = try #require(SampleRate(hertz: 4_799))
    #expect(throws: LTCError.tooFewSamples(few, .fps30)) {
      try LTCEncoder(from: Timecode(frame: 0, rate: .fps30), sampleRate: few)
    }
    #expect("\(LTCError.tooFast(.fps50))".hasSuffix("the limit is 30 fps (use half the rate)"))
  }
}
