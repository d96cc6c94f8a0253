// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

@Suite struct LTCDecoderTests {
  @Test(arguments: Tape.rates, [8_000, 44_100, 48_000, 96_000])
  func `encoded time code is decoded`(rate: FrameRate, hertz: Int) throws {
    for isReversed in [false, true] {
      let tape = try Tape(rate, hertz: hertz, isReversed: isReversed)
      let readings = tape.read()
      // The very first frame can be missed at 8 kHz, because it begins in the middle of an edge.
      #expect(try tape.judge(readings) >= (hertz == 8_000 ? 59 : 60))
      #expect(readings.last?.counting?.nominal == rate.nominal)
      // Except for the first, edges are at the written positions.
      try tape.judge(Array(readings.dropFirst()), within: hertz == 8_000 ? 0.3 : 0.1)
    }
  }

  @Test(arguments: [0.1, 0.25, 0.5, 0.9, 1.1, 2, 3, 4])
  func `time code is read at other speeds`(speed: Double) throws {
    for isReversed in [false, true] {
      let tape = try Tape(.fps30, isReversed: isReversed).played { _ in speed }
      #expect(try tape.judge(tape.read(), within: 0.7) >= 58)
      let noisy = try Tape(.fps25, isReversed: isReversed).noisy(decibels: 20).played { _ in speed }
      #expect(try noisy.judge(noisy.read(), within: 1.5) >= 57)
    }
  }

  @Test func `ten times the speed takes twice the samples`() throws {
    let tape = try Tape(.fps25, hertz: 96_000).played { _ in 10 }
    #expect(try tape.judge(tape.read()) >= 57)
  }

  @Test func `a tape that speeds up and slows down is read completely`() throws {
    let tape = try Tape(.fps25, frames: 200).played { pow(4, sin($0)) }
    #expect(try tape.judge(tape.read()) >= 198)
  }

  @Test(arguments: [1 as Float, 8, -8, 0.08, -0.08])
  func `time code is read at any level and polarity`(gain: Float) throws {
    let tape = try Tape(.fps2997Drop).changed { $0 * gain }
    #expect(try tape.judge(tape.read()) == 60)
    let beside = try Tape(.fps25).changed { $0 * gain + 0.3 }
    #expect(try beside.judge(beside.read()) >= 55)
  }

  @Test func `time code at −50 dBFS is read`() throws {
    let tape = try Tape(.fps25, frames: 250)
    let peak = try #require(tape.sound.map(abs).max())
    let quiet = tape.changed { $0 / peak * 0.003_162 }
    #expect(try quiet.judge(quiet.read()) >= 248)
  }

  @Test(arguments: 1...4)
  func `time code with noise and wow is read`(seed: UInt64) throws {
    let tape = try Tape(.fps2997Drop, hertz: 44_100).noisy(decibels: 20, seed: seed)
      .played { 1 + 0.01 * sin(20 * $0) }
    #expect(try tape.judge(tape.read()) >= 59)
  }

  @Test(arguments: 1...8)
  func `in loud noise labels are missing, but none is wrong`(seed: UInt64) throws {
    let tape = try Tape(.fps25, frames: 100).noisy(decibels: 8 - Double(seed) / 4, seed: seed)
    try tape.judge(tape.read(), within: 10)
  }

  @Test func `an old tape, with little left but the edges, is read`() throws {
    for hertz in [22_050, 48_000] {
      var (before, kept): (Float, Float) = (0, 0)
      let tape = try Tape(.fps25, hertz: hertz).noisy(decibels: 26).changed { sample in
        defer { before = sample }
        kept = 0.6 * kept + sample - before
        return min(0.15, max(-0.15, kept))
      }
      #expect(try tape.judge(tape.read(), within: 4) >= 59)
    }
  }

  @Test func `frames in dropouts are missing, and are reported`() throws {
    var tape = try Tape(.fps25, frames: 100)
    for place in [9_700, 60_000, 120_400] {
      for sample in place..<(place + 90) { tape.sound[sample] = 0 }
    }
    let readings = tape.read()
    #expect(try tape.judge(readings) == 97)
    #expect(readings.map(\.continuity).filter { $0 == .misses(1) }.count == 3)
  }

  @Test func `a long silence is reported with the next frame`() throws {
    var tape = try Tape(.fps25, frames: 200)
    for sample in 96_010..<287_000 { tape.sound[sample] = 0 }
    let readings = tape.read()
    #expect(try tape.judge(readings) == 100)
    #expect(readings.contains { $0.continuity == .misses(100) })
  }

  @Test func `another position starts a new sequence`() throws {
    var tape = try Tape(.fps25, frames: 20)
    let other = try Tape(
      .fps25, frames: 20, from: TimecodeLabel(hours: 7, minutes: 0, seconds: 0, frames: 0))
    tape.sound += other.sound
    let readings = tape.read()
    #expect(readings.filter { $0.continuity == .begins }.map(\.frame.hours) == [1, 7])
    #expect(readings.count >= 39)
  }

  @Test func `labels continue after midnight`() throws {
    let midnight = TimecodeLabel(hours: 23, minutes: 59, seconds: 59, frames: 0)
    for rate in Tape.rates {
      let tape = try Tape(rate, from: midnight)
      #expect(try tape.judge(tape.read()) == 60)
      let back = try Tape(
        rate, isReversed: true, from: TimecodeLabel(hours: 0, minutes: 0, seconds: 1, frames: 0))
      #expect(try back.judge(back.read()) == 60)
    }
  }

  @Test func `user bits and their flags are read`() throws {
    for rate in [FrameRate.fps24, .fps25, .fps30] {
      var encoder = try LTCEncoder(
        from: Timecode(frame: 20, rate: rate), sampleRate: .hertz48000)
      (encoder.userBits, encoder.binaryGroupFlags) = (0x89AB_CDEF, 5)
      var (sound, readings): ([Float], [LTCReading]) = ([], [])
      encoder.append(96_000, to: &sound)
      var decoder = LTCDecoder(sampleRate: .hertz48000, rate: rate)
      decoder.read(sound.span, into: &readings)
      #expect(readings.count >= 47)
      #expect(readings.allSatisfy { $0.frame.userBits == 0x89AB_CDEF })
      #expect(readings.allSatisfy { $0.frame.binaryGroupFlags == 5 })
    }
  }

  @Test func `silence, noise, music and NaN do not give time codes`() throws {
    var random = SplitMix(seed: 3)
    let music = (0..<240_000).map { Self.music(Double($0) / 48_000) }
    let noise = (0..<240_000).map { _ in Float.random(in: -1...1, using: &random) }
    let strange: [Float] = (0..<1_000).flatMap { _ in [.nan, .infinity, -.infinity, 1e38, -1e-30] }
    for sound in [[Float](repeating: 0, count: 48_000), noise, music, strange] {
      var decoder = LTCDecoder(sampleRate: .hertz48000)
      var readings: [LTCReading] = []
      decoder.read(sound.span, into: &readings)
      #expect(readings.isEmpty)
    }
  }

  /// Repeated tones, two of them as fast as bits.
  private static func music(_ time: Double) -> Float {
    let tones: [Double] = [220, 277.2, 329.6, 2_400, 1_200, 440.5]
    let struck = tones.indices.map { tone in
      let since = (time * Double(tone + 1)).truncatingRemainder(dividingBy: 1)
      return sin(2 * .pi * tones[tone] * time) * exp(-4 * since) / 6
    }
    return Float(struck.reduce(0, +))
  }

  @Test func `it continues to read after NaN`() throws {
    var tape = try Tape(.fps25)
    for sample in 20_000..<20_050 { tape.sound[sample] = sample.isMultiple(of: 2) ? .nan : 1e30 }
    #expect(try tape.judge(tape.read()) >= 30)
  }
}
