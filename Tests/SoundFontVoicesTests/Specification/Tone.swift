// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import SoundFontVoices

/// A sine of 440 Hz at key 69 in a font for the test, played by the voices at 48 kHz.
struct Tone {
  typealias Cue = Duet.Cue
  typealias Zone = FontBuilder.Zone

  /// Quanta of 64 frames in a second.
  static let quanta = 750
  static let hertz = 48_000

  /// The generators of every zone: a loop with an immediate release.
  static let plain = [(54, 1), (38, -12_000)]

  /// The left side.
  let left: [Float]

  /// A sound that was played.
  init(left: [Float]) { self.left = left }

  /// Plays cues.
  ///
  /// - Parameters:
  ///   - zones: the generators of the instrument's zones, in addition to `plain`.
  ///   - modulators: the modulators of each zone.
  ///   - preset: the generators of the preset.
  ///   - correction: the sample's correction in cents.
  ///   - bank: the preset's bank.
  ///   - cues: the messages.
  ///   - seconds: the length to render.
  ///   - quality: the method of interpolation.
  ///   - change: changes the font before it is written.
  /// - Throws: the errors of the font's file.
  init(
    zones: [[(Int, Int)]] = [[]], modulators: [[Int]] = [], preset: [(Int, Int)] = [],
    correction: Int = 0, bank: Int = 0, _ cues: [Cue], seconds: Double,
    quality: VoiceQuality = .usual, change: (inout FontBuilder) -> Void = { _ in }
  ) throws {
    let scratch = try ScratchFolder()
    var font = FontBuilder(
      preset: [Zone(preset + [(41, 0)])],
      instrument: zones.map { own in
        Zone(
          own + Self.plain.filter { each in !own.contains { $0.0 == each.0 } } + [(53, 0)],
          modulators)
      },
      samples: [
        FontBuilder.Sample(
          place: 0..<1000, loop: (200, 800), rate: 44_000, key: 69, correction: correction)
      ])
    font.presets[0].bank = bank
    font.data = (0..<1046).flatMap { frame -> [UInt8] in
      let value =
        frame < 1000 ? Int((12_000 * sin(2 * .pi * Double(frame) / 100)).rounded()) : 0
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    change(&font)
    let duet = try Duet(scratch.write("font.sf2", font.bytes), hertz: Self.hertz, gain: 1)
    left =
      duet.ours(
        cues, quanta: Int(seconds * Double(Self.quanta)), quality: quality)[0]
  }

  /// A note at full level, with controllers 7 and 11 at 127.
  static func note(
    _ key: UInt8 = 69, velocity: UInt8 = 127, from start: Double = 0, to end: Double? = nil
  ) -> [Cue] {
    let on = [
      Cue(quantum(start), 0xB0, 7, 127), Cue(quantum(start), 0xB0, 11, 127),
      Cue(quantum(start), 0x90, key, velocity),
    ]
    return on + (end.map { [Cue(quantum($0), 0x80, key)] } ?? [])
  }

  static func quantum(_ seconds: Double) -> Int { Int((seconds * Double(quanta)).rounded()) }

  private func frames(_ start: Double, _ end: Double) -> ArraySlice<Float> {
    left[Int(start * Double(Self.hertz))..<min(left.count, Int(end * Double(Self.hertz)))]
  }

  /// The level between two times in seconds, in decibels of full scale; −240 for silence.
  func level(_ start: Double, _ end: Double) -> Double {
    let frames = frames(start, end)
    let power = frames.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(frames.count)
    return 10 * log10(max(power, 1e-24))
  }

  /// The frequency between two times in seconds, from the rising zero crossings; nil if there are
  /// too few.
  func frequency(_ start: Double, _ end: Double) -> Double? {
    let frames = Array(frames(start, end))
    let zeros = frames.indices.dropLast().compactMap { index -> Double? in
      let (now, next) = (Double(frames[index]), Double(frames[index + 1]))
      return now < 0 && next >= 0 ? Double(index) + now / (now - next) : nil
    }
    guard zeros.count > 2 else { return nil }
    return Double(zeros.count - 1) * Double(Self.hertz) / (zeros[zeros.count - 1] - zeros[0])
  }

  /// The pitch between two times in seconds, in cents above 440 Hz.
  func cents(_ start: Double, _ end: Double) -> Double? {
    frequency(start, end).map { 1200 * log2($0 / 440) }
  }

  /// The pitch in cents of each period that begins between two times in seconds.
  func periods(_ start: Double, _ end: Double) -> [Double] {
    let frames = Array(frames(start, end))
    let zeros = frames.indices.dropLast().compactMap { index -> Double? in
      let (now, next) = (Double(frames[index]), Double(frames[index + 1]))
      return now < 0 && next >= 0 ? Double(index) + now / (now - next) : nil
    }
    return zip(zeros, zeros.dropFirst()).map {
      1200 * log2(Double(Self.hertz) / ($1 - $0) / 440)
    }
  }
}
