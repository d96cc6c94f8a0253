// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicalTime

/// What the times are counted in: a song's maps, or tempo, meter and rates given one by one.
struct ConvertSetting: ParsableArguments {
  @Option(help: "Take tempo, meter, division, SMPTE offset and markers from a MIDI file.")
  var song: String?

  @Option(help: "Take tempo, meter and host times from a clock that is served; `now` is a time.")
  var clock: String?

  @Option(parsing: .unconditional, help: "Tempo: 125, 125bpm or 480000us/q. Default 120.")
  var tempo: String?

  @Option(help: "Meter: 7/8. Default 4/4.")
  var meter: String?

  @Option(help: "Ticks per quarter note, 1…32767. Default 480.")
  var ppq: Int?

  @Option(help: "Sample rate: 48000, 44.1k. Default 48000.")
  var rate: String?

  @Option(help: "Frame rate of labels: 25, 29.97df, 30000/1001. Default 25, or the song's.")
  var fps: String?

  @Option(parsing: .unconditional, help: "The label of time 0: 01:00:00:00.")
  var smpteOffset: String?

  @Option(parsing: .unconditional, help: "Where bar 1 begins, in quarter notes or as a time: 1b.")
  var barOneAt: String?

  @Option(help: "Parts of a beat in bbt. Default: the ticks per quarter note.")
  var divisor: Int?

  @Option(help: "Subframes in a frame: 80, 100, 4. Default: whole frames.")
  var subframes: Int?

  @Option(help: "Labels past a day: days, 24h, clamp or none. Default days.")
  var wrap: String?

  @Option(parsing: .unconditional, help: "A moment of both clocks, HOSTNS@SAMPLE, for host times.")
  var anchor: String?

  /// The context that some flags of another command describe, by their names here.
  static func context(_ flags: [(name: String, value: String?)]) throws -> TimeContext {
    let given = flags.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    return try parse(given).context(markers: false).context
  }

  /// The context that the flags describe; what they do not say is assumed.
  ///
  /// - Parameter markers: Whether the song's markers are needed.
  /// - Returns: The context, and what reading the song makes of the status.
  /// - Throws: `Failure` for a flag without a meaning or a song that cannot be read.
  func context(markers: Bool) throws -> (context: TimeContext, status: ExitStatus) {
    let source = try song.map { try ConvertSong(path: $0) }
    let served = try clock.map { try ConvertClock(name: $0) }
    if source != nil, served != nil {
      throw Failure(.usage, "--song and --clock each give the tempo: choose one")
    }
    var context =
      try source?.context(markers: markers) ?? served?.context()
      ?? TimeContext.standard(ppq: try resolution())
    context.assumedFrameRate = .standard
    if source != nil || served != nil, ppq != nil {
      throw Failure(.usage, "--ppq: the division of the song or clock holds")
    }
    context.sampleRate = try rate.map { try read("--rate", $0, SampleRate.init(parsing:)) }
    try setFrameRate(&context)
    try setMaps(&context)
    context.subbeatDivisor = try small("--divisor", divisor) ?? context.ticksPerQuarter
    context.subframeBase = try small("--subframes", subframes) ?? 1
    context.dayPolicy = try dayPolicy()
    context.anchor = try anchor.map { try sampleAnchor($0, context) } ?? context.anchor
    return (context, source?.status ?? .success)
  }

  private func resolution() throws -> PPQN {
    guard let resolution = PPQN(ppq ?? 480) else {
      throw Failure(.usage, "--ppq \(ppq ?? 0): ticks per quarter note are 1…32767")
    }
    return resolution
  }

  /// Reads a flag's text; an error names the flag.
  private func read<Value>(
    _ flag: String, _ text: String, _ parse: (String) throws(TimeError) -> Value
  ) throws -> Value {
    do {
      return try parse(text)
    } catch {
      throw Failure(.usage, "\(flag) \(text): \(error)")
    }
  }

  private func small(_ flag: String, _ value: Int?) throws -> UInt16? {
    guard let value else { return nil }
    guard let small = UInt16(exactly: value), small > 0 else {
      throw Failure(.usage, "\(flag) \(value): it must be 1…65535")
    }
    return small
  }

  private func dayPolicy() throws -> DayPolicy {
    guard let wrap else { return .days }
    guard let policy = DayPolicy(rawValue: wrap) else {
      throw Failure(.usage, "--wrap \(wrap): choose days, 24h, clamp or none")
    }
    return policy
  }
}

extension ConvertSetting {
  /// The rate of labels, and the label of time 0 in it.
  private func setFrameRate(_ context: inout TimeContext) throws {
    if let fps {
      let rate = try read("--fps", fps) { text throws(TimeError) in
        try FrameRate(parsing: text)
      }
      try read("--fps", fps) { _ throws(TimeError) in try context.relabel(at: rate) }
    }
    guard let smpteOffset else { return }
    let known = context
    context.smpteOffset = try read("--smpte-offset", smpteOffset) { text throws(TimeError) in
      try known.timecode(TimecodeText(parsing: text))
    }
    if context.frameRate == nil { context.frameRate = context.smpteOffset?.rate }
  }

  /// Tempo, meter and bar 1, over those of the song.
  private func setMaps(_ context: inout TimeContext) throws {
    if let tempo { try set(tempo: tempo, &context) }
    guard meter != nil || barOneAt != nil else { return }
    let origin = try barOneAt.map { try quarters($0, context) } ?? 0
    let changes = try meter.map { [MeterChange(position: 0, signature: try read(meter: $0))] }
    let known = context.meterMap.changes.filter { $0.position >= 0 }
    context.meterMap = try read("--bar-one-at", barOneAt ?? "0") { _ throws(TimeError) in
      try MeterMap(changes: changes ?? known, barOneAt: origin)
    }
  }

  /// Sets a tempo, in beats per minute where no unit is written: exactly, also between two
  /// tempi of 10 ns.
  private func set(tempo text: String, _ context: inout TimeContext) throws {
    let hasUnit = text.contains { $0.isLetter }
    let length: Ratio = try read("--tempo", text) { text throws(TimeError) in
      let expression = try TimeExpression(hasUnit ? text : text + "bpm")
      guard case .tempo(let length) = expression.value else { throw .badTempo(text) }
      return length
    }
    let tempo = try read("--tempo", text) { _ throws(TimeError) in
      try Tempo.beatsPerMinute(60_000_000 / length, rounding: .nearest)
    }
    context.tempoMap = try TempoMap(
      division: context.tempoMap.division, changes: [TempoChange(tick: 0, tempo: tempo.value)])
    if !tempo.isExact { context.constantTempo = length }
  }

  private func read(meter text: String) throws -> TimeSignature {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) else {
      throw Failure(.usage, "--meter \(text): a meter is written 7/8")
    }
    return try read("--meter", text) { _ throws(TimeError) in
      try TimeSignature(numerator: numerator, denominator: denominator)
    }
  }

  private func quarters(_ text: String, _ context: TimeContext) throws -> Ratio {
    try read("--bar-one-at", text) { text throws(TimeError) in
      try context.quarters(of: context.position(of: TimeExpression(text, as: .beats)))
    }
  }

  private func sampleAnchor(_ text: String, _ context: TimeContext) throws -> HostAnchor {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let host = Int64(parts[0]), let sample = Int64(parts[1]),
      let rate = context.sampleRate ?? .standard
    else { throw Failure(.usage, "--anchor \(text): an anchor is written HOSTNS@SAMPLE") }
    return try HostAnchor(
      SampleAnchor(
        host: HostTime(nanoseconds: host), sample: SampleTime(frames: sample), rate: rate))
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
  static func standard(ppq: PPQN) throws(TimeError) -> TimeContext {
    TimeContext(tempoMap: TempoMap(ppqn: ppq), meterMap: try MeterMap())
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
