// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The settings for converting times: the maps of a song or of a served clock, or single values.
///
/// A given tempo, meter or rate replaces the song's. If a value is nil, the song's value or a
/// default is used.
package struct TimeSetting {
  package var song: String?
  package var clock: String?
  /// A sound file whose linear timecode provides the time codes.
  package var take: String?
  package var tempo: GivenTempo?
  package var meter: TimeSignature?
  package var resolution: PPQN?
  package var sampleRate: SampleRate?
  package var frameRate: FrameRate?
  /// The time code of time 0.
  package var smpteOffset: GivenValue<TimecodeText>?
  /// The position of bar 1.
  package var barOne: GivenValue<TimeExpression>?
  /// The number of parts in a beat.
  package var divisor: UInt16?
  /// The number of subframes in a frame.
  package var subframes: UInt16?
  package var dayPolicy = DayPolicy.days
  /// The same instant on the host clock and the sample clock.
  package var anchor: (host: HostTime, sample: SampleTime)?

  /// Creates settings.
  package init(
    song: String? = nil, clock: String? = nil, take: String? = nil, tempo: GivenTempo? = nil,
    meter: TimeSignature? = nil, resolution: PPQN? = nil, sampleRate: SampleRate? = nil,
    frameRate: FrameRate? = nil, smpteOffset: GivenValue<TimecodeText>? = nil,
    barOne: GivenValue<TimeExpression>? = nil, divisor: UInt16? = nil, subframes: UInt16? = nil,
    dayPolicy: DayPolicy = DayPolicy.days, anchor: (host: HostTime, sample: SampleTime)? = nil
  ) {
    self.song = song
    self.clock = clock
    self.take = take
    self.tempo = tempo
    self.meter = meter
    self.resolution = resolution
    self.sampleRate = sampleRate
    self.frameRate = frameRate
    self.smpteOffset = smpteOffset
    self.barOne = barOne
    self.divisor = divisor
    self.subframes = subframes
    self.dayPolicy = dayPolicy
    self.anchor = anchor
  }

  /// Replaces the rates and maps of a context by the given ones.
  package func apply(to context: inout TimeContext) throws {
    context.assumedFrameRate = .standard
    if let sampleRate { context.sampleRate = sampleRate }
    try setFrameRate(&context)
    try setMaps(&context)
  }

  /// Sets the frame rate, and the time code of time 0.
  private func setFrameRate(_ context: inout TimeContext) throws {
    if let frameRate {
      try FlagText("--fps", "\(frameRate)").read { _ throws(TimeError) in
        try context.relabel(at: frameRate)
      }
    }
    guard let smpteOffset else { return }
    context.smpteOffset = try smpteOffset.flag.read { _ throws(TimeError) in
      try context.timecode(smpteOffset.value)
    }
    if context.frameRate == nil { context.frameRate = context.smpteOffset?.rate }
  }

  /// Sets the tempo, the meter and the position of bar 1.
  private func setMaps(_ context: inout TimeContext) throws {
    if let tempo {
      context.tempoMap = try TempoMap(
        division: context.tempoMap.division, changes: [TempoChange(tick: 0, tempo: tempo.tempo)])
      if !tempo.isExact { context.constantTempo = tempo.length }
    }
    guard meter != nil || barOne != nil else { return }
    let changes = meter.map { [MeterChange(position: 0, signature: $0)] }
    let known = context.meterMap.changes.filter { $0.position >= 0 }
    guard let barOne else {
      return context.meterMap = try MeterMap(changes: changes ?? known, barOneAt: 0)
    }
    context.meterMap = try barOne.flag.read { _ throws(TimeError) in
      let origin = try context.quarters(of: context.position(of: barOne.value))
      return try MeterMap(changes: changes ?? known, barOneAt: origin)
    }
  }
}

extension SampleRate {
  /// The default sample rate: 48 kHz.
  package static var standard: SampleRate? { SampleRate(hertz: 48000) }
}

extension FrameRate {
  /// The default frame rate: 25 frames per second.
  ///
  /// A frame is then 40 ms long and a quarter frame 10 ms, both a whole number of samples at 48 and
  /// 44.1 kHz. Its time codes cannot be confused with those of 29.97 fps, unlike time codes of 30
  /// fps.
  package static var standard: FrameRate { .fps25 }
}

extension TimeContext {
  /// Creates a context with 120 beats per minute in 4/4.
  ///
  /// - Parameter ppq: The ticks per quarter note; nil, the default, for 480.
  /// - Returns: The context.
  /// - Throws: Nothing at this tempo and meter.
  package static func standard(ppq: PPQN? = nil) throws(TimeError) -> TimeContext {
    guard let ppq = ppq ?? PPQN(480) else {
      preconditionFailure("internal error: PPQN 480 was rejected")
    }
    return TimeContext(tempoMap: TempoMap(ppqn: ppq), meterMap: try MeterMap())
  }

  /// The ticks per quarter note; 480 if the division is frames.
  package var ticksPerQuarter: UInt16 {
    guard case .ppqn(let resolution) = tempoMap.division else { return 480 }
    return resolution.ticks
  }

  /// The time code of time 0, at the frame rate.
  package var labelOffset: Timecode {
    smpteOffset ?? Timecode(frame: 0, rate: frameRate ?? assumedFrameRate ?? .standard)
  }

  /// Sets the frame rate; an offset keeps its time code, not its time.
  mutating func relabel(at rate: FrameRate) throws(TimeError) {
    frameRate = rate
    guard let offset = smpteOffset else { return }
    smpteOffset = try Timecode(
      label: try offset.label(.wrap), rate: rate, subframeBase: offset.subframeBase)
  }
}
