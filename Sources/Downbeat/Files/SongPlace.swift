// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime

/// Where ticks of a song come to lie in a rendering that begins at one of them, at a rate of its
/// own, with a part that may be repeated.
struct SongPlace {
  private let map: TempoMap
  private let options: PlaybackOptions
  private let rate: SampleRate

  /// The passes beyond which a loop that gets faster is no faster any more.
  private static let passLimit = 100_000

  init(_ map: TempoMap, _ options: PlaybackOptions, rate: SampleRate) throws {
    self.map = map
    self.options = options
    self.rate = rate
  }

  /// The frame of a tick, repetitions left out.
  ///
  /// - Throws: `TimeError` where it does not fit 64 bits.
  func frame(at tick: Tick, rounding: Rounding) throws -> Int64 {
    guard options.start != .zero || options.playRate != 1 else {
      return try map.sampleTime(at: tick, rate: rate, rounding: rounding).value.frames
    }
    return try frames(seconds(options.start, tick) / Self.value(options.playRate), rounding)
  }

  /// The frame at which a song of a length ends, repetitions counted; nil where it never does.
  ///
  /// - Throws: `TimeError` where it does not fit 64 bits.
  func end(of length: Tick, _ acceleration: Ratio) throws -> Int64? {
    guard let loop = options.loop, options.start < loop.end else {
      return try frame(at: length, rounding: .ceil)
    }
    guard loop.count > 0 else { return nil }
    let turn = seconds(loop.start, loop.end)
    var total = 0.0
    // The first pass begins where the song does, and the last ends where the song does, which may be
    // before the loop's end.
    let counted = acceleration == 0 ? 1 : min(loop.count, Self.passLimit)
    for pass in 0..<counted {
      let speed = Self.value(RenderEnd.playRate(options.playRate, acceleration, pass: pass))
      total += (pass == 0 ? seconds(options.start, loop.end) : turn) / speed
    }
    let last = Self.value(
      RenderEnd.playRate(options.playRate, acceleration, pass: loop.count - 1))
    total += Double(loop.count - counted) * turn / last
    let begin = loop.count == 1 ? max(loop.start, options.start) : loop.start
    total += seconds(loop.end, max(begin, length)) / last
    return try frames(total, .ceil)
  }

  private func seconds(_ first: Tick, _ last: Tick) -> Double {
    Self.value(map.seconds(at: last)) - Self.value(map.seconds(at: first))
  }

  private static func value(_ ratio: Ratio) -> Double {
    Double(ratio.numerator) / Double(ratio.denominator)
  }

  private func frames(_ seconds: Double, _ rounding: Rounding) throws -> Int64 {
    // What is within a thousandth of a frame is that frame: the sum is not exact.
    let frames = seconds * Double(rate.hertz)
    let whole = rounding == .ceil ? (frames - 0.001).rounded(.up) : frames.rounded()
    guard whole < Double(1 << 62) else { throw TimeError.overflow("sample frames") }
    return Int64(whole)
  }
}
