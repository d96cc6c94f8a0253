// SPDX-License-Identifier: Apache-2.0

/// The tempo, meter and rates of a song, which are needed to convert positions between formats.
///
/// Media time 0 is the start of the song: tick 0, quarter note 0, sample 0, and the time code
/// `smpteOffset`. If a property is nil, its value is unknown, and conversions that need it throw an
/// error.
public struct TimeContext: Sendable {
  /// The tempo map, which also determines the length of a tick.
  public var tempoMap: TempoMap
  /// The meter map, which also determines the position of bar 1.
  public var meterMap: MeterMap
  /// A constant tempo that replaces those of the tempo map, in microseconds per quarter note; nil
  /// by default.
  ///
  /// Use it for a tempo that `TempoMap` would round to 10 ns, such as 90 beats per minute. The map
  /// then only determines the length of a tick in quarter notes.
  public var constantTempo: Ratio?
  /// The sample rate of positions in samples; nil if it is unknown.
  public var sampleRate: SampleRate?
  /// The frame rate of time code and frames, if the song or the user has declared one; nil if it is
  /// unknown.
  public var frameRate: FrameRate?
  /// The frame rate that is used if `frameRate` is nil and a written time does not contain a rate;
  /// nil for none.
  public var assumedFrameRate: FrameRate?
  /// The time code of media time 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode?
  /// The number of subbeats per beat in results, and in written times that do not contain it; 480
  /// by default.
  public var subbeatDivisor: UInt16 = 480
  /// The number of subframes per frame in results; 1 by default.
  ///
  /// If it is above 1, it also applies to written time codes that do not contain a number.
  public var subframeBase: UInt16 = 1
  /// The form of time codes in results that are outside of one day; by default a number of days is
  /// added.
  public var dayPolicy: DayPolicy = .days
  /// The relation of host time and media time; nil if it is unknown.
  public var anchor: HostAnchor?
  /// The current position in the song, for the word `now`; nil if it is unknown.
  public var now: TimePosition?
  /// The length of the song in ticks; nil if it is unknown.
  public var length: Tick?
  /// The tick of each marker by name; empty by default.
  public var markers: [String: Tick] = [:]

  /// Creates a context from two maps; all other properties are unknown.
  public init(tempoMap: TempoMap, meterMap: MeterMap) {
    self.tempoMap = tempoMap
    self.meterMap = meterMap
  }

  /// The frame rate of time codes in results: `frameRate`, or `assumedFrameRate` if that is nil.
  ///
  /// - Throws: `TimeError.missingContext` if both are nil.
  public var labelRate: FrameRate {
    get throws(TimeError) {
      guard let rate = frameRate ?? assumedFrameRate else { throw .missingContext("a frame rate") }
      return rate
    }
  }

  /// Returns a copy of this context in which unknown rates are replaced by the rates in an
  /// expression.
  public func adopting(_ expression: TimeExpression) -> TimeContext {
    if case .sum(let terms) = expression.value {
      return terms.reduce(self) { $0.adopting($1.value) }
    }
    return adopting(expression.value)
  }

  private func adopting(_ value: TimeExpression.Value) -> TimeContext {
    var context = self
    switch value {
    case .samples(_, let rate?) where sampleRate == nil: context.sampleRate = rate
    case .frames(_, let rate?) where frameRate == nil: context.frameRate = rate
    case .timecode(let text) where frameRate == nil:
      context.frameRate = text.rate ?? (text.isDrop ? .fps2997Drop : nil)
      if let base = text.subframeBase, subframeBase == 1 { context.subframeBase = base }
    default: break
    }
    return context
  }
}
