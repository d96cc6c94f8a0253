// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import ClockService
internal import CommandKit
internal import CommandOptions
package import MusicalTime

/// The options for the maps of a clock: a song, or a tempo, a ramp and a meter.
struct ClockSetting: ParsableArguments {
  @Option(
    name: [.long, .customLong("bpm")], parsing: .unconditional,
    help: "Tempo in quarter notes per minute, such as 97.5. Default 120.")
  var tempo: String?

  @Option(help: "Use the tempo, meter and SMPTE offset of a MIDI file.", completion: .songs)
  var song: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Tempo ramp, such as 120-140/16: from 120 to 140 BPM over 16 quarter notes.",
      valueName: "bpm-bpm/quarters"))
  var ramp: String?

  @Option(parsing: .unconditional, help: "Meter, such as 7/8. Default 4/4.")
  var meter: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frame rate of time code: 23.976, 24, 25, 29.97, 29.97df, 30. Default: 25, or the song's"
        + " frame rate."))
  var fps: String?

  @Option(parsing: .unconditional, help: "Time code of the start (time 0), such as 01:00:00:00.")
  var smpteOffset: String?

  /// Creates the context of the options.
  ///
  /// - Parameter markers: True to read the song's markers; false by default.
  /// - Returns: The context.
  /// - Throws: `Failure` for an invalid option or a song that cannot be read.
  func context(markers: Bool = false) throws -> TimeContext {
    guard [tempo, song, ramp].compactMap({ $0 }).count < 2 else {
      throw ValidationError("--tempo, --song and --ramp each set the tempo (use one of them)")
    }
    var setting = TimeSetting(song: song)
    setting.tempo = try tempo.map { try FlagText("--tempo", $0).tempo() }
    setting.meter = try meter.map { try FlagText("--meter", $0).meter() }
    setting.frameRate = try fps.map { try FlagText("--fps", $0).frameRate() }
    setting.smpteOffset = try smpteOffset.map { try FlagText("--smpte-offset", $0).label() }
    var context = try setting.context(markers: markers).context
    if let ramp { context.tempoMap = try Self.map(ramp) }
    return context
  }

  private static func map(_ text: String) throws -> TempoMap {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let tempi = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, tempi.count == 2, let ppqn = PPQN(480) else {
      throw ValidationError("--ramp \(text): not two tempos and a length (try 120-140/16)")
    }
    do {
      let ramp = try TempoRamp(
        from: Ratio(parsing: String(tempi[0])), to: Ratio(parsing: String(tempi[1])),
        quarters: Ratio(parsing: String(parts[1])), shape: .linearOverTime)
      return try TempoMap(
        division: .ppqn(ppqn),
        changes: ramp.changes(from: .zero, ppqn: ppqn, stepTicks: 20, unit: .tenNanoseconds))
    } catch {
      throw FlagText("--ramp", text).failure("\(error)")
    }
  }
}

extension TimeContext {
  /// The first tick at or after a time as the user types it; a number without a unit is in seconds.
  ///
  /// - Throws: `Failure` if the text is not a time.
  package func tick(_ text: String) throws -> Tick {
    do {
      return try firstTick(of: position(of: TimeExpression(text, bareNumbersAs: .seconds)))
    } catch {
      throw Failure(.usage, "time '\(text)': \(error.reason)")
    }
  }
}

extension MusicClock {
  /// Creates a stopped clock at the start, with the maps of a context.
  package init(_ context: TimeContext) {
    self.init(tempoMap: context.tempoMap)
    meterMap = context.meterMap
    frameRate = context.frameRate
    smpteOffset = context.smpteOffset
  }
}
