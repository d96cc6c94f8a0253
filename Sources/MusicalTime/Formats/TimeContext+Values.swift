// SPDX-License-Identifier: Apache-2.0

/// A position in the unit of a `TimeFormat`.
public enum TimeValue: Hashable, Sendable {
  /// A number of whole units, such as ticks.
  case count(Int64)
  /// An exact number of units that may have fractions, such as seconds or quarter notes.
  case number(Ratio)
  /// A bar, beat and subbeat.
  case barBeat(BarBeat)
  /// A time code.
  case timecode(Timecode)
}

extension TimeContext {
  /// Converts a position to a format, such as samples or bars and beats.
  ///
  /// Quarter notes, seconds, milliseconds and microseconds are exact. Values in other formats are
  /// rounded to a whole unit, and the residue is the rounding error.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - format: The format of the result.
  ///   - rounding: The rounding to a whole unit.
  /// - Returns: The value, with the residue in units of the format: subbeats for a bar and beat,
  ///   and subframes for a time code.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between two
  ///   units; `TimeError.missingContext` if a rate or anchor is missing; `TimeError.overflow` if
  ///   the value does not fit in 64 bits; `TimeError.fieldOutOfRange` for a song position outside
  ///   0…16383.
  /// - Complexity: O(log n) in the number of changes in the maps.
  public func value(
    of position: TimePosition, in format: TimeFormat, rounding: Rounding
  ) throws(TimeError) -> Converted<TimeValue> {
    switch format {
    case .beats: return Converted(exactly: .number(try quarters(of: position)))
    case .clock, .seconds: return Converted(exactly: .number(try seconds(of: position)))
    case .milliseconds: return Converted(exactly: .number(try seconds(of: position) * 1000))
    case .microseconds: return Converted(exactly: .number(try seconds(of: position) * 1_000_000))
    case .ticks:
      return try ticks(of: position).rounded(rounding, unit: "ticks").map(TimeValue.count)
    case .nanoseconds: return try nanoseconds(of: position, rounding).map(TimeValue.count)
    case .samples: return try samples(of: position, rounding).map(TimeValue.count)
    case .barBeat: return try barBeat(of: position, rounding).map(TimeValue.barBeat)
    case .timecode: return try timecode(of: position, rounding).map(TimeValue.timecode)
    case .frames:
      return try frames(of: position).rounded(rounding, unit: "frames").map(TimeValue.count)
    case .hostTime: return try hostTime(of: position, rounding).map(TimeValue.count)
    case .songPosition:
      return try SongPosition.at(quarters: quarters(of: position), rounding: rounding)
        .map { .count(Int64($0.midiBeats)) }
    case .midiClocks:
      return try (quarters(of: position) * 24).rounded(rounding, unit: "MIDI clocks")
        .map(TimeValue.count)
    }
  }

  /// Converts a position to an exact number of units of a format.
  ///
  /// The unit is a frame for time code, and a quarter note for bars and beats.
  ///
  /// - Throws: The errors of `value(of:in:rounding:)`, except `TimeError.inexact`.
  public func number(
    of position: TimePosition, in format: TimeFormat
  ) throws(TimeError) -> Ratio {
    switch format {
    case .barBeat, .beats: return try quarters(of: position)
    case .clock, .seconds: return try seconds(of: position)
    case .milliseconds: return try seconds(of: position) * 1000
    case .microseconds: return try seconds(of: position) * 1_000_000
    case .nanoseconds: return try seconds(of: position) * 1_000_000_000
    case .ticks: return try ticks(of: position)
    case .samples: return try seconds(of: position) * Ratio(hertz)
    case .timecode, .frames: return try frames(of: position)
    case .hostTime:
      let host = try hostTime(of: position, .floor)
      return try Ratio(host.value) + host.residue
    case .songPosition: return try quarters(of: position) * 4
    case .midiClocks: return try quarters(of: position) * 24
    }
  }
}

extension TimeContext {
  private var hertz: Int64 {
    get throws(TimeError) {
      guard let sampleRate else { throw .missingContext("a sample rate") }
      return Int64(sampleRate.hertz)
    }
  }

  private func barBeat(
    of position: TimePosition, _ rounding: Rounding
  ) throws(TimeError) -> Converted<BarBeat> {
    if case .ppqn(let resolution) = tempoMap.division, let tick = try mapTick(position) {
      return try meterMap.barBeat(
        at: tick, ppqn: resolution, divisor: subbeatDivisor, rounding: rounding)
    }
    return try meterMap.barBeat(
      at: quarters(of: position), divisor: subbeatDivisor, rounding: rounding)
  }

  private func nanoseconds(
    of position: TimePosition, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    if let tick = try mapTick(position) {
      return try tempoMap.mediaTime(at: tick, rounding: rounding).map(\.nanoseconds)
    }
    return try (seconds(of: position) * 1_000_000_000).rounded(rounding, unit: "nanoseconds")
  }

  private func samples(
    of position: TimePosition, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    if let sampleRate, let tick = try mapTick(position) {
      return try tempoMap.sampleTime(at: tick, rate: sampleRate, rounding: rounding).map(\.frames)
    }
    return try (seconds(of: position) * Ratio(hertz)).rounded(rounding, unit: "sample frames")
  }

  private func timecode(
    of position: TimePosition, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Timecode> {
    let rate = try labelRate
    let seconds = try seconds(of: position) + offsetSeconds
    return try Timecode.at(
      seconds: seconds, rate: rate, subframeBase: subframeBase, rounding: rounding)
  }

  private func frames(of position: TimePosition) throws(TimeError) -> Ratio {
    try (seconds(of: position) + offsetSeconds) * labelRate.framesPerSecond
  }

  private func hostTime(
    of position: TimePosition, _ rounding: Rounding
  ) throws(TimeError) -> Converted<Int64> {
    guard let anchor else { throw .missingContext("an anchor between host time and samples") }
    return try anchor.hostTime(atSeconds: seconds(of: position), rounding: rounding)
      .map(\.nanoseconds)
  }
}
