// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// What times are counted in: the maps of a song or of a served clock, or values given one by one.
///
/// A tempo, a meter or a rate that is given takes the place of the song's; what is nil is the
/// song's, or assumed.
package struct TimeSetting {
  package var song: String?
  package var clock: String?
  /// A sound file whose linear timecode says the labels.
  package var take: String?
  package var tempo: GivenTempo?
  package var meter: TimeSignature?
  package var resolution: PPQN?
  package var sampleRate: SampleRate?
  package var frameRate: FrameRate?
  /// The label of time 0.
  package var smpteOffset: GivenValue<TimecodeText>?
  /// Where bar 1 begins.
  package var barOne: GivenValue<TimeExpression>?
  /// Parts of a beat.
  package var divisor: UInt16?
  /// Subframes in a frame.
  package var subframes: UInt16?
  package var dayPolicy = DayPolicy.days
  /// A moment of both clocks.
  package var anchor: (host: HostTime, sample: SampleTime)?

  /// Creates it from its parts.
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

  /// Puts what the setting says of rates and maps over those of a context.
  package func apply(to context: inout TimeContext) throws {
    context.assumedFrameRate = .standard
    if let sampleRate { context.sampleRate = sampleRate }
    try setFrameRate(&context)
    try setMaps(&context)
  }

  /// The rate of labels, and the label of time 0 in it.
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

  /// Tempo, meter and bar 1, over those that there are.
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
  /// The rate that is assumed where none is given: 48 kHz.
  package static var standard: SampleRate? { SampleRate(hertz: 48000) }
}

extension FrameRate {
  /// The rate that is assumed where none is given: 25 frames a second.
  ///
  /// A frame is 40 ms then, a quarter frame 10 ms, and both are whole samples at 48 and at
  /// 44.1 kHz; labels cannot be taken for those of 29.97, as labels of 30 can.
  package static var standard: FrameRate { .fps25 }
}

extension TimeContext {
  /// 120 beats per minute in 4/4.
  ///
  /// - Parameter ppq: ticks per quarter note; nil is 480.
  /// - Returns: the context.
  /// - Throws: nothing at this tempo and meter.
  package static func standard(ppq: PPQN? = nil) throws(TimeError) -> TimeContext {
    guard let ppq = ppq ?? PPQN(480) else {
      preconditionFailure("internal error: PPQN 480 was rejected")
    }
    return TimeContext(tempoMap: TempoMap(ppqn: ppq), meterMap: try MeterMap())
  }

  /// The ticks per quarter note; 480 where ticks are parts of a frame.
  package var ticksPerQuarter: UInt16 {
    guard case .ppqn(let resolution) = tempoMap.division else { return 480 }
    return resolution.ticks
  }

  /// The label of time 0, at the rate of labels.
  package var labelOffset: Timecode {
    smpteOffset ?? Timecode(frame: 0, rate: frameRate ?? assumedFrameRate ?? .standard)
  }

  /// Declares a rate; an offset keeps its label, not its time.
  mutating func relabel(at rate: FrameRate) throws(TimeError) {
    frameRate = rate
    guard let offset = smpteOffset else { return }
    smpteOffset = try Timecode(
      label: try offset.label(.wrap), rate: rate, subframeBase: offset.subframeBase)
  }
}
