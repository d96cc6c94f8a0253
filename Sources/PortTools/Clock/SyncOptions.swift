// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import ClockService
package import CommandKit
package import CommandOptions
package import JACKAudio
package import MIDIPorts
package import MusicSequences
internal import MusicalTime

/// The options of a song for following and sending clocks.
package struct SyncOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var following: MasterOptions

  @OptionGroup package var leads: ClockOutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frame rate of time code: 23.976, 24, 25, 29.97, 29.97df, 30. Default: 25, or the song's"
        + " frame rate."))
  var fps: String?

  @Option(parsing: .unconditional, help: "Time code of the song's start, such as 01:00:00:00.")
  var smpteOffset: String?

  @Flag(help: "Set JACK's bars, beats and tempo from the song (needs --sync jack).")
  var jackTimebase = false

  /// Checks that the options fit the sync source.
  ///
  /// - Throws: `ValidationError` if an option needs another kind of source.
  package func check(_ master: SyncSource?) throws {
    try following.check(master)
    guard !jackTimebase || master?.kind == .jack else {
      throw ValidationError(
        "--jack-timebase: works only if the song follows JACK (add --sync jack)")
    }
    guard
      (fps == nil && smpteOffset == nil) || master?.kind.isTimecode == true
        || !leads.mtcOut.isEmpty
    else {
      throw ValidationError(
        "--fps and --smpte-offset: need --sync mtc:PORT, --sync ltc:DEVICE or --mtc-out")
    }
  }

  /// Opens the sync source and the clock outputs of the options for one sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence that will be played.
  ///   - master: The sync source; nil for none.
  ///   - system: The system of the song's ports; nil for none.
  ///   - jack: The JACK output of the song; nil for none.
  ///   - waits: True to wait for ports that do not exist yet.
  ///   - loop: The run loop; a signal ends the process.
  ///   - quiet: True to report events of the master only in JSON output.
  /// - Returns: The sync settings of the playback, and an object that maintains their ports.
  /// - Throws: The error of a port or clock that does not exist.
  package func open(
    for sequence: MusicSequence, following master: SyncSource?, on system: PortSystem?,
    jack: JACKOutputUnit?, waits: Bool, loop: RunLoop, quiet: Bool
  ) throws -> (ClockSync, PlaySync) {
    let context = try context(of: sequence)
    var playback = ClockSync()
    var play = PlaySync(isQuiet: quiet)
    let log = play.log
    playback.onEvent = { log.note($0) }
    if let sync = master.map(following.applied) {
      let bars =
        jackTimebase
        ? JACKTransport.Bars(tempoMap: context.tempoMap, meterMap: context.meterMap) : nil
      play.transport = try sync.transport(with: jack, leading: bars)
      if jackTimebase, play.transport?.leadsBars == false {
        Terminal.report("--jack-timebase: refused, because another JACK client sets bars and beats")
      }
      let (master, input) = try sync.open(
        context: context, waits: waits, loop: loop, transport: play.transport)
      playback.master = master
      playback.input = input?.input
      play.input = input
      play.startLine = Self.start(of: sync)
      play.news = MasterNews(of: sync.kind)
    }
    let (outputs, ports) = try leads.open(context, on: system, waits: waits, loop: loop)
    playback.outputs += outputs
    play.outputs = ports
    return (playback, play)
  }

  /// The line at the start: what playback waits for.
  private static func start(of sync: SyncSource) -> String {
    sync.role == .lead
      ? "controlling the Link session: the song sets its tempo, start and stop"
      : "waiting for the master to start"
  }

  /// The context of a song with the frame rate and the offset of the options.
  private func context(of sequence: MusicSequence) throws -> TimeContext {
    var setting = TimeSetting()
    setting.frameRate = try fps.map { try FlagText("--fps", $0).frameRate() }
    setting.smpteOffset = try smpteOffset.map { try FlagText("--smpte-offset", $0).label() }
    var context = try TimeContext(of: sequence, findingMarkers: false)
    try setting.apply(to: &context)
    return context
  }
}
