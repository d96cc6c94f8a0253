// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What times are counted in: the maps of a song or of a served clock, or values given one by one.
///
/// A tempo, a meter or a rate that is given takes the place of the song's; what is nil is the
/// song's, or assumed.
struct TimeSetting {
  var song: String?
  var clock: String?
  /// A sound file whose linear timecode says the labels.
  var take: String?
  var tempo: GivenTempo?
  var meter: TimeSignature?
  var resolution: PPQN?
  var sampleRate: SampleRate?
  var frameRate: FrameRate?
  /// The label of time 0.
  var smpteOffset: GivenValue<TimecodeText>?
  /// Where bar 1 begins.
  var barOne: GivenValue<TimeExpression>?
  /// Parts of a beat.
  var divisor: UInt16?
  /// Subframes in a frame.
  var subframes: UInt16?
  var dayPolicy = DayPolicy.days
  /// A moment of both clocks.
  var anchor: (host: HostTime, sample: SampleTime)?

  /// The context that the setting describes.
  ///
  /// - Parameter markers: Whether the song's markers are needed.
  /// - Returns: The context, and what reading the song makes of the status.
  /// - Throws: `Failure` for what has no meaning or a song or clock that cannot be read.
  func context(markers: Bool = false) throws -> (context: TimeContext, status: ExitStatus) {
    let source = try song.map { try ConvertSong(path: $0) }
    let served = try clock.map { try ConvertClock(name: $0) }
    var context =
      try source?.context(markers: markers) ?? served?.context()
      ?? TimeContext.standard(ppq: resolution)
    try apply(to: &context)
    let take = try take.map { try ConvertTake(path: $0, fps: frameRate) }
    take?.apply(to: &context)
    context.subbeatDivisor = divisor ?? context.ticksPerQuarter
    context.subframeBase = subframes ?? 1
    context.dayPolicy = dayPolicy
    context.anchor = try anchor.map { try sampleAnchor($0, context) } ?? context.anchor
    return (context, source?.status ?? take?.status ?? .success)
  }

  /// Puts what the setting says of rates and maps over those of a context.
  func apply(to context: inout TimeContext) throws {
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

  private func sampleAnchor(
    _ moment: (host: HostTime, sample: SampleTime), _ context: TimeContext
  ) throws -> HostAnchor {
    guard let rate = context.sampleRate ?? .standard else {
      preconditionFailure("48000 is a sample rate")
    }
    return try HostAnchor(SampleAnchor(host: moment.host, sample: moment.sample, rate: rate))
  }
}

extension SampleRate {
  /// The rate that is assumed where none is given: 48 kHz.
  static var standard: SampleRate? { SampleRate(hertz: 48000) }
}

extension FrameRate {
  /// The rate that is assumed where none is given: 25 frames a second.
  ///
  /// A frame is 40 ms then, a quarter frame 10 ms, and both are whole samples at 48 and at
  /// 44.1 kHz; labels cannot be taken for those of 29.97, as labels of 30 can.
  static var standard: FrameRate { .fps25 }
}

extension TimeContext {
  /// 120 beats per minute in 4/4.
  ///
  /// - Parameter ppq: ticks per quarter note; nil is 480.
  /// - Returns: the context.
  /// - Throws: nothing at this tempo and meter.
  static func standard(ppq: PPQN? = nil) throws(TimeError) -> TimeContext {
    guard let ppq = ppq ?? PPQN(480) else { preconditionFailure("480 is a resolution") }
    return TimeContext(tempoMap: TempoMap(ppqn: ppq), meterMap: try MeterMap())
  }

  /// The ticks per quarter note; 480 where ticks are parts of a frame.
  var ticksPerQuarter: UInt16 {
    guard case .ppqn(let resolution) = tempoMap.division else { return 480 }
    return resolution.ticks
  }

  /// Declares a rate; an offset keeps its label, not its time.
  mutating func relabel(at rate: FrameRate) throws(TimeError) {
    frameRate = rate
    guard let offset = smpteOffset else { return }
    smpteOffset = try Timecode(
      label: try offset.label(.wrap), rate: rate, subframeBase: offset.subframeBase)
  }
}
