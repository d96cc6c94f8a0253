// SPDX-License-Identifier: Apache-2.0

/// What turns a written time into a position, and a position into text: the maps of a piece, and
/// the rates at which it is counted.
///
/// Media time 0 is the piece's origin: tick 0, quarter note 0, sample 0, and the label
/// `smpteOffset`. What is nil is not known, and a conversion that needs it says so.
public struct TimeContext: Sendable {
  /// The tempi, and what a tick is.
  public var tempoMap: TempoMap
  /// The meters, and where bar 1 begins.
  public var meterMap: MeterMap
  /// One tempo throughout, in microseconds per quarter note, that holds instead of the map's.
  ///
  /// For a tempo that a person types and that the 10 ns of a `TempoMap` would round, such as 90
  /// beats per minute; the map then only says what a tick is.
  public var constantTempo: Ratio?
  /// The rate of sample frames.
  public var sampleRate: SampleRate?
  /// The rate of labels and frames, as it is declared.
  public var frameRate: FrameRate?
  /// The rate of labels and frames where none is declared and the text names none.
  public var assumedFrameRate: FrameRate?
  /// The label of media time 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode?
  /// The number of subbeats in a beat: of the answers, and of a text that names no divisor; 480 by
  /// default.
  public var subbeatDivisor: UInt16 = 480
  /// Subframes in a frame: of the answers, and, where above 1, of a text that names no base; 1 by
  /// default.
  public var subframeBase: UInt16 = 1
  /// What becomes of a label outside one day; it is kept, with its days by default.
  public var dayPolicy: DayPolicy = .days
  /// How host time and media time are related.
  public var anchor: HostAnchor?
  /// Where the piece is now: what the word `now` means.
  public var now: TimePosition?
  /// The length of the piece in ticks.
  public var length: Tick?
  /// The names of the markers and where they stand; none by default.
  public var markers: [String: Tick] = [:]

  /// Creates a context of two maps, with nothing else known.
  public init(tempoMap: TempoMap, meterMap: MeterMap) {
    self.tempoMap = tempoMap
    self.meterMap = meterMap
  }

  /// The rate at which the labels of an answer count: the declared one, or else the assumed one.
  ///
  /// - Throws: `TimeError.missingContext` where there is neither.
  public var labelRate: FrameRate {
    get throws(TimeError) {
      guard let rate = frameRate ?? assumedFrameRate else { throw .missingContext("a frame rate") }
      return rate
    }
  }

  /// The same context with the rates that a text names, where none are declared.
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
