// SPDX-License-Identifier: Apache-2.0

/// A position in one format.
public enum TimeValue: Hashable, Sendable {
  /// A count of whole units.
  case count(Int64)
  /// An exact number of seconds, quarter notes or other divisible units.
  case number(Ratio)
  /// Bar, beat and subbeat.
  case barBeat(BarBeat)
  /// An SMPTE label.
  case timecode(Timecode)
}

extension TimeContext {
  /// A position in a format.
  ///
  /// Seconds in all their sizes and quarter notes are exact numbers; ticks, nanoseconds, samples,
  /// frames, song positions, bars and labels are rounded to a whole unit, and the residue says by
  /// how much.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - format: The format of the answer.
  ///   - rounding: How to pick one of the two units around the position.
  /// - Returns: The value, and the residue in the format's unit: subbeats of a bar-beat, subframes
  ///   of a label.
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.missingContext` where a rate
  ///   is not known; `TimeError.overflow` past 64 bits; `TimeError.fieldOutOfRange` for a song
  ///   position outside its 14 bits.
  /// - Complexity: O(log n) in the number of changes of the maps.
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

  /// A position as an exact number of a format's units: frames of a label, quarter notes of a
  /// bar-beat.
  ///
  /// - Throws: As `value(of:in:rounding:)`, but nothing is rounded.
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
