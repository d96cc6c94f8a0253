// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MusicalTime

/// The fast path of batch conversion, from a plain number of ticks, nanoseconds or samples to
/// another of these units.
///
/// It uses only integers. The tempo map is read with a cursor, so ascending times need no search.
struct ConvertCounts {
  private enum Pair {
    case ticksToNanoseconds, ticksToSamples, nanosecondsToTicks, samplesToTicks
    case nanosecondsToSamples, samplesToNanoseconds
  }

  private let pair: Pair
  private let rounding: Rounding
  private let rate: SampleRate
  private var cursor: TempoMap.Cursor

  /// Creates a converter; nil if the request needs the general conversion.
  init?(_ request: ConvertRequest) {
    guard request.form == .text, request.context.constantTempo == nil, let source = request.source,
      request.targets.count == 1, case .time(let target)? = request.targets.first,
      let rate = request.context.sampleRate ?? .standard
    else { return nil }
    switch (source, target) {
    case (.ticks, .nanoseconds): pair = .ticksToNanoseconds
    case (.ticks, .samples): pair = .ticksToSamples
    case (.nanoseconds, .ticks): pair = .nanosecondsToTicks
    case (.samples, .ticks): pair = .samplesToTicks
    case (.nanoseconds, .samples): pair = .nanosecondsToSamples
    case (.samples, .nanoseconds): pair = .samplesToNanoseconds
    default: return nil
    }
    rounding = request.rounding(for: target)
    self.rate = rate
    cursor = request.context.tempoMap.makeCursor()
  }

  /// Returns the answer to a line that is an integer; nil for any other line.
  @inline(__always)
  mutating func answer(_ bytes: [UInt8], _ line: Range<Int>) throws(TimeError) -> Int64? {
    guard let count = Self.integer(bytes, line) else { return nil }
    return switch pair {
    case .ticksToNanoseconds:
      try cursor.mediaTime(at: Tick(count), rounding: rounding).value.nanoseconds
    case .ticksToSamples:
      try cursor.sampleTime(at: Tick(count), rate: rate, rounding: rounding).value.frames
    case .nanosecondsToTicks:
      try cursor.tick(at: MediaTime(nanoseconds: count), rounding: rounding).value.value
    case .samplesToTicks:
      try cursor.map.tick(at: SampleTime(frames: count), rate: rate, rounding: rounding).value.value
    case .nanosecondsToSamples:
      try rate.sampleTime(at: MediaTime(nanoseconds: count), rounding: rounding).value.frames
    case .samplesToNanoseconds:
      try rate.mediaTime(of: SampleTime(frames: count), rounding: rounding).value.nanoseconds
    }
  }

  /// Returns the integer if the whole line is one of at most 18 digits; nil otherwise.
  @inline(__always)
  private static func integer(_ bytes: [UInt8], _ line: Range<Int>) -> Int64? {
    var index = line.lowerBound
    let isNegative = index < line.upperBound && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    guard line.upperBound > index, line.upperBound - index <= 18 else { return nil }
    var value: Int64 = 0
    while index < line.upperBound {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    return isNegative ? -value : value
  }
}
