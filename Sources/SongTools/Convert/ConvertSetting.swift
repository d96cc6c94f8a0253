// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import MusicalTime

/// The options for the tempo, the meter and the rates of `convert`, from a song, a clock or single
/// flags.
package struct ConvertSetting: ParsableArguments {
  package init() {}

  @Option(
    help: "Use tempo, meter, division, SMPTE offset and markers of a MIDI file.",
    completion: .songs)
  package var song: String?

  @Option(
    help: "Use tempo, meter and host times of a served clock; `now` is its current time.",
    completion: .clocks)
  package var clock: String?

  @Option(
    help: "Use the linear time code and sample rate of a sound file.",
    completion: .sounds)
  var ltc: String?

  @Option(
    name: [.long, .customLong("bpm")], parsing: .unconditional,
    help: "Tempo: 125, 125bpm or 480000us/q. Default 120.")
  package var tempo: String?

  @Option(help: "Meter: 7/8. Default 4/4.")
  package var meter: String?

  @Option(help: "Ticks per quarter note, 1…32767. Default 480.")
  var ppq: Int?

  @Option(help: "Sample rate: 48000, 44.1k. Default 48000.")
  package var rate: String?

  @Option(
    help: ArgumentHelp(
      "Frame rate of time code: 23.976, 25, 29.97df, 30000/1001. Default: 25, or the song's frame"
        + " rate."))
  var fps: String?

  @Option(parsing: .unconditional, help: "Time code of the start (time 0), such as 01:00:00:00.")
  var smpteOffset: String?

  @Option(
    parsing: .unconditional,
    help: "Position of bar 1: a number of quarter notes, or a time in any format.")
  var barOneAt: String?

  @Option(help: "Parts of a beat in the format bbt, 1…65535. Default: the ticks per quarter note.")
  var divisor: Int?

  @Option(help: "Subframes per frame: 80, 100, 4. Default: whole frames.")
  var subframes: Int?

  @Option(
    help: ArgumentHelp(
      "Time code past 24 hours: days (print the days before it), 24h (start again at 0), clamp (stay"
        + " at the last frame of the day) or none (fail). Default: days."))
  var wrap: String?

  @Option(
    parsing: .unconditional,
    help: "For host times: a host time in ns and the sample at that time, as HOSTNS@SAMPLE.")
  package var anchor: String?

  /// Returns the settings of the flags.
  ///
  /// - Throws: `Failure` if the value of a flag is not valid, or if two flags conflict.
  package func setting() throws -> TimeSetting {
    if song != nil, clock != nil {
      throw Failure(
        .usage, "--song and --clock each set the tempo (use one of them)",
        options: ["--song", "--clock"])
    }
    if song != nil || clock != nil, ppq != nil {
      throw Failure(
        .usage, "--ppq: the song or clock already sets it (leave --ppq out)",
        options: ["--ppq"])
    }
    guard ltc == nil || [song, clock, smpteOffset, rate].allSatisfy({ $0 == nil }) else {
      throw Failure(
        .usage,
        "--ltc: the sound file sets time code and samples (leave --song, --clock, --smpte-offset"
          + " and"
          + " --rate out)", options: ["--smpte-offset", "--rate"])
    }
    var setting = TimeSetting(song: song, clock: clock, take: ltc)
    setting.tempo = try tempo.map { try FlagText("--tempo", $0).tempo() }
    setting.meter = try meter.map { try FlagText("--meter", $0).meter() }
    setting.resolution = try ppq.map(resolution)
    setting.sampleRate = try rate.map { try FlagText("--rate", $0).sampleRate() }
    setting.frameRate = try fps.map { try FlagText("--fps", $0).frameRate() }
    setting.smpteOffset = try smpteOffset.map { try FlagText("--smpte-offset", $0).label() }
    setting.barOne = try barOneAt.map { text in
      let flag = FlagText("--bar-one-at", text)
      return GivenValue(flag: flag, value: try flag.time(as: .beats))
    }
    setting.divisor = try divisor.map { try small("--divisor", $0) }
    setting.subframes = try subframes.map { try small("--subframes", $0) }
    setting.dayPolicy = try dayPolicy()
    setting.anchor = try anchor.map(moment)
    return setting
  }

  private func resolution(_ ticks: Int) throws -> PPQN {
    guard let resolution = PPQN(ticks) else {
      throw FlagText("--ppq", "\(ticks)").failure("not in 1…32767 ticks per quarter note")
    }
    return resolution
  }

  private func small(_ flag: String, _ value: Int) throws -> UInt16 {
    guard let small = UInt16(exactly: value), small > 0 else {
      throw FlagText(flag, "\(value)").failure("not in 1…65535")
    }
    return small
  }

  private func dayPolicy() throws -> DayPolicy {
    guard let wrap else { return .days }
    guard let policy = DayPolicy(rawValue: wrap) else {
      throw FlagText("--wrap", wrap).failure("not days, 24h, clamp or none")
    }
    return policy
  }

  private func moment(_ text: String) throws -> (host: HostTime, sample: SampleTime) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let host = Int64(parts[0]), let sample = Int64(parts[1]) else {
      throw FlagText("--anchor", text).failure("not HOSTNS@SAMPLE")
    }
    return (HostTime(nanoseconds: host), SampleTime(frames: sample))
  }
}
