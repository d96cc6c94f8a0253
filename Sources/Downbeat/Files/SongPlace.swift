// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime

/// Converts ticks of a song to frames of a rendering that may have a start, a speed and a loop.
struct SongPlace {
  private let map: TempoMap
  private let options: PlaybackOptions
  private let rate: SampleRate

  /// The passes after which a loop that accelerates keeps its speed.
  private static let passLimit = 100_000

  init(_ map: TempoMap, _ options: PlaybackOptions, rate: SampleRate) throws {
    self.map = map
    self.options = options
    self.rate = rate
  }

  /// Converts a tick to a frame, without loop passes.
  ///
  /// - Throws: `TimeError` if it does not fit 64 bits.
  func frame(at tick: Tick, rounding: Rounding) throws -> Int64 {
    guard options.start != .zero || options.playRate != 1 else {
      return try map.sampleTime(at: tick, rate: rate, rounding: rounding).value.frames
    }
    return try frames(seconds(options.start, tick) / Self.value(options.playRate), rounding)
  }

  /// The frame at which a song of a given length ends, with all loop passes; nil if it never ends.
  ///
  /// - Throws: `TimeError` if it does not fit 64 bits.
  func end(of length: Tick, _ acceleration: Ratio) throws -> Int64? {
    guard let loop = options.loop, options.start < loop.end else {
      return try frame(at: length, rounding: .ceil)
    }
    guard loop.count > 0 else { return nil }
    let turn = seconds(loop.start, loop.end)
    var total = 0.0
    // The first pass begins at the start of the song, and the last ends at the end of the song,
    // which may be before the loop's end.
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
    // The sum is not exact: a value within a thousandth of a frame is that frame.
    let frames = seconds * Double(rate.hertz)
    let whole = rounding == .ceil ? (frames - 0.001).rounded(.up) : frames.rounded()
    guard whole < Double(1 << 62) else { throw TimeError.overflow("sample frames") }
    return Int64(whole)
  }
}
