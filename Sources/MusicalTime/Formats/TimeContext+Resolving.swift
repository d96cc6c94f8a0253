// SPDX-License-Identifier: Apache-2.0

extension TimeContext {
  /// Converts an expression to a position, with the maps, rates and markers of this context.
  ///
  /// - Throws: `TimeError.missingContext` if a rate, a length or a marker is missing;
  ///   `TimeError.droppedLabel`, `TimeError.dropSeparator`, `TimeError.fieldOutOfRange` or
  ///   `TimeError.pastEndOfBar` for a time code or bar position that does not exist;
  ///   `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of meter changes.
  public func position(of expression: TimeExpression) throws(TimeError) -> TimePosition {
    try position(of: expression.value)
  }

  func position(of value: TimeExpression.Value) throws(TimeError) -> TimePosition {
    switch value {
    case .barBeat(let bar, let beat, let subbeat, let divisor):
      let label = BarBeat(
        bar: bar, beat: beat, subbeat: subbeat, divisor: divisor ?? subbeatDivisor)
      return .quarters(try meterMap.quarters(at: label))
    case .timecode(let written): return .seconds(try mediaSeconds(of: timecode(written)))
    case .seconds(let seconds): return .seconds(seconds)
    case .samples(let samples, let rate): return .seconds(try seconds(samples, rate))
    case .ticks(let ticks, let resolution): return try position(ticks, resolution)
    case .beats(let quarters): return .quarters(quarters)
    case .frames(let frames, let rate):
      return .seconds(try seconds(frames, rate) - offsetSeconds)
    case .hostTime(let nanoseconds): return .seconds(try seconds(atHost: nanoseconds))
    case .tempo: throw .missingContext("a time, not a tempo")
    case .portion(let part):
      guard let length else { throw .missingContext("a song, because % is relative to its length") }
      return .seconds(try tempoMap.seconds(at: length) * part)
    case .marker(let name):
      return .ticks(Ratio(try marker(name).value))
    case .now:
      guard let now else { throw .noClockForNow }
      return now
    case .sum(let terms): return try position(ofSum: terms)
    }
  }

  /// Converts a written time code to a position, with the frame rate of this context if it does not
  /// contain one.
  ///
  /// If neither of them has a rate, a time code with `;` is 29.97 drop-frame, and any other has the
  /// rate `assumedFrameRate`. If the number of subframes per frame was not written, it is
  /// `subframeBase` if that is above 1, and otherwise 100.
  ///
  /// - Throws: `TimeError.missingContext` if the rate is unknown; `TimeError.dropSeparator`,
  ///   `TimeError.droppedLabel`, `TimeError.fieldOutOfRange`, `TimeError.overflow`.
  public func timecode(_ text: TimecodeText) throws(TimeError) -> Timecode {
    try text.timecode(
      rate: frameRate ?? (text.isDrop ? .fps2997Drop : assumedFrameRate),
      subframeBase: subframeBase > 1 ? subframeBase : 100)
  }

  /// The exact media time of a time code, in seconds.
  func mediaSeconds(of timecode: Timecode) throws(TimeError) -> Ratio {
    guard let smpteOffset else { return timecode.seconds }
    return try smpteOffset.seconds(of: timecode)
  }

  /// The real time in seconds from 00:00:00:00 to the time code of media time 0.
  var offsetSeconds: Ratio { smpteOffset?.seconds ?? .zero }

  private func seconds(_ samples: Ratio, _ rate: SampleRate?) throws(TimeError) -> Ratio {
    guard let rate = rate ?? sampleRate else {
      throw .missingContext("a sample rate (48000@48k)")
    }
    return try samples * Ratio(1, over: Int64(rate.hertz))
  }

  private func seconds(_ frames: Ratio, _ rate: FrameRate?) throws(TimeError) -> Ratio {
    if let rate { return try frames / rate.framesPerSecond }
    return try frames / labelRate.framesPerSecond
  }

  private func position(_ ticks: Ratio, _ resolution: PPQN?) throws(TimeError) -> TimePosition {
    guard let resolution, tempoMap.division != .ppqn(resolution) else { return .ticks(ticks) }
    return .quarters(try ticks * Ratio(1, over: Int64(resolution.ticks)))
  }

  private func seconds(atHost nanoseconds: Ratio) throws(TimeError) -> Ratio {
    guard let anchor else { throw .missingContext("an anchor between host time and samples") }
    return try anchor.seconds(atNanoseconds: nanoseconds)
  }
}
