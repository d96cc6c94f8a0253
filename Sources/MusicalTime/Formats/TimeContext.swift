// SPDX-License-Identifier: Apache-2.0

/// The tempo, meter and rates of a song, with which times are converted to positions and positions
/// to times in any format.
///
/// Media time 0 is the start of the song: tick 0, quarter note 0, sample 0, and the time code
/// `smpteOffset`. A property that is nil is unknown; conversions that need it throw an error.
public struct TimeContext: Sendable {
  /// The tempo map, with the length of a tick.
  public var tempoMap: TempoMap
  /// The meter map, with the start of bar 1.
  public var meterMap: MeterMap
  /// A constant tempo in microseconds per quarter note, which replaces that of the tempo map.
  ///
  /// It preserves a tempo that `TempoMap` would round to 10 ns, such as 90 beats per minute. The
  /// map then only determines the length of a tick in quarter notes. Nil by default.
  public var constantTempo: Ratio?
  /// The sample rate.
  public var sampleRate: SampleRate?
  /// The frame rate of time code and frames, as declared.
  public var frameRate: FrameRate?
  /// The frame rate to use if `frameRate` is nil and the text does not contain a rate.
  public var assumedFrameRate: FrameRate?
  /// The time code of media time 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode?
  /// The number of subbeats per beat, for results and for text without a divisor; 480 by default.
  public var subbeatDivisor: UInt16 = 480
  /// The number of subframes per frame, for results and, if above 1, for text without a base; 1 by
  /// default.
  public var subframeBase: UInt16 = 1
  /// The representation of a time code outside of one day; by default a number of days is added.
  public var dayPolicy: DayPolicy = .days
  /// The relation of host time and media time.
  public var anchor: HostAnchor?
  /// The present position in the song, for the word `now`.
  public var now: TimePosition?
  /// The length of the song in ticks.
  public var length: Tick?
  /// The tick of each marker by name; empty by default.
  public var markers: [String: Tick] = [:]

  /// Creates a context from two maps; everything else is unknown.
  public init(tempoMap: TempoMap, meterMap: MeterMap) {
    self.tempoMap = tempoMap
    self.meterMap = meterMap
  }

  /// The frame rate of results: `frameRate`, or `assumedFrameRate` if it is nil.
  ///
  /// - Throws: `TimeError.missingContext` if both are nil.
  public var labelRate: FrameRate {
    get throws(TimeError) {
      guard let rate = frameRate ?? assumedFrameRate else { throw .missingContext("a frame rate") }
      return rate
    }
  }

  /// Returns this context with the rates from an expression in place of rates that are unknown.
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
