// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import Downbeat
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// What a playing song follows, and what it leads.
struct SyncOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play in time with a master, from its start to its stop: midi:PORT, mtc:PORT or clock:NAME.",
      valueName: "master"))
  var sync: SyncSource?

  @Option(
    help: ArgumentHelp(
      "Send MIDI clock to a port while playing; repeatable.", valueName: "client:port"))
  var clockOut: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send MIDI time code to a port while playing; repeatable.", valueName: "client:port"))
  var mtcOut: [String] = []

  @Option(help: "Frame rate of time code: 24, 25, 29.97df, 30. Default 25, or the song's.")
  var fps: String?

  @Option(parsing: .unconditional, help: "The label at the song's start, such as 01:00:00:00.")
  var smpteOffset: String?

  func validate() throws {
    guard (fps == nil && smpteOffset == nil) || sync?.kind == .mtc || !mtcOut.isEmpty else {
      throw ValidationError("--fps and --smpte-offset are for --sync mtc:PORT and --mtc-out")
    }
  }

  /// Opens what the flags name, for one sequence.
  ///
  /// - Parameters:
  ///   - sequence: what will be played.
  ///   - waits: whether ports that are not there are waited for.
  ///   - signals: what ends that wait.
  ///   - quiet: whether nobody is told what the master does.
  /// - Returns: what the playback is given, and what keeps it up.
  /// - Throws: where a port or a clock is not there.
  func open(
    for sequence: MusicSequence, waits: Bool, signals: SignalWait, quiet: Bool
  ) throws -> (ClockSync, PlaySync) {
    let context = try context(of: sequence)
    var playback = ClockSync()
    var play = PlaySync(isShared: sync?.kind == .clock, isQuiet: quiet)
    if let sync {
      let log = play.log
      let (master, input, keeper) = try sync.open(
        context: context, waits: waits, signals: signals)
      playback.master = master
      playback.input = input
      playback.onEvent = { if case .master(let event) = $0 { log.note(event) } }
      if let keeper { play.keepers.append(keeper) }
      if !quiet { Terminal.report("waiting for the master to start") }
    }
    if !clockOut.isEmpty {
      guard case .ppqn = context.tempoMap.division else {
        throw Failure(.usage, "--clock-out: this song counts frames, and has no beats")
      }
      let port = try play.open(clockOut, named: "downbeat clock", waits, signals)
      playback.outputs.append(.init(MIDIClockGenerator(tempoMap: context.tempoMap), to: port))
    }
    if !mtcOut.isEmpty {
      let port = try play.open(mtcOut, named: "downbeat mtc", waits, signals)
      let generator = MTCGenerator(tempoMap: context.tempoMap, offset: context.labelOffset)
      playback.outputs.append(.init(generator, to: port))
    }
    return (playback, play)
  }

  /// A song's context with the rate and the offset of the flags.
  private func context(of sequence: MusicSequence) throws -> TimeContext {
    let flags = [("fps", fps), ("smpte-offset", smpteOffset)]
    let given = try ConvertSetting.parse(
      flags.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    ).context(markers: false).context
    var context = try TimeContext(of: sequence, findingMarkers: false)
    context.assumedFrameRate = .fps25
    if let rate = given.frameRate { try context.relabel(at: rate) }
    if smpteOffset != nil { context.smpteOffset = given.smpteOffset }
    return context
  }
}
