// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIPorts
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SequencePlayback
internal import SongTools
internal import SoundTools

/// The command `downbeat record`, which records MIDI ports to a file.
struct Record: ReportingCommand, SoundingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record MIDI ports to a MIDI file.",
    discussion: """
      Recording starts with the first event and stops with Ctrl-C or after --length; held notes \
      then end. With --over, --count-in or --metronome, recording starts with the song or the \
      clicks, and notes are recorded in time with them. The kernel timestamps the events; notes \
      are only quantised with --quantise. The file is saved every ten seconds and at the end, each \
      time as a complete MIDI file. A port that disappears is reconnected when it returns.

      EXAMPLES:
        downbeat record -p UM-ONE -o take.mid
        downbeat record -p UM-ONE -o take.mid --tempo 96 --start now --length 64b
        downbeat record -p 20:0 -p 24:0 -o band.mid --split-ports --split-channels
        downbeat record -p UM-ONE -o two.mid --over one.mid --count-in 2 --metronome
        downbeat record -p UM-ONE -o take.mid --count-in 1 --metronome --to fluid
        downbeat record -o take.mid                  open a port for other programs
        downbeat record -o take.mid --rtp desk       open a session on the network
      """)

  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions

  @Option(name: [.short, .long], help: "MIDI file to write; - is standard output.")
  var output: String

  @Flag(help: "Replace the output file if it exists.")
  var overwrite = false

  @OptionGroup var filtering: FilterOptions

  @OptionGroup(title: "Song and clicks") var guiding: GuideOptions

  @Option(help: "Start recording with the first event or now. Default: first.")
  var start: RecordStart?

  @Option(
    name: [.long, .customLong("for")], parsing: .unconditional,
    help: "Stop after this time, in any format: 90s, 64b, 16.1.0.")
  var length: String?

  @Option(
    name: [.long, .customLong("bpm")],
    help: "Tempo in quarter notes per minute, such as 96 or 92.5. (default: 120)")
  var tempo: String?

  @Option(parsing: .unconditional, help: "Time signature. (default: 4/4)")
  var meter: String?

  @Option(parsing: .unconditional, help: "Ticks per quarter note, 1…32767. (default: 480)")
  var ppqn: Int?

  @Flag(help: "Write one track per channel.")
  var splitChannels = false

  @Flag(help: "Write one track per sending port.")
  var splitPorts = false

  @Option(
    help: ArgumentHelp("Quantise notes to a grid, such as 1/16 or 1/8t.", valueName: "grid"))
  var quantise: String?

  @OptionGroup(title: "Terminal") var live: LiveOptions
  @OptionGroup var report: JSONOption

  var reportedOutput: String? { output }

  /// Checks that a length is a valid time.
  private static func checkLength(_ text: String) throws {
    do {
      _ = try TimeExpression(text, bareNumbersAs: .seconds)
    } catch {
      let refused = RefusedValue(text, of: "--length", because: error.reason)
      throw ValidationError(refused.sentence)
    }
  }

  func validate() throws {
    try report.check(output)
    try session.check(ports.port.isEmpty && !ports.wait, against: "--port and --wait")
    _ = try blank()
    if let quantise { _ = try EditDistance(parsing: quantise, isGrid: true) }
    if let length { try Self.checkLength(length) }
    guard guiding.over == nil || (tempo == nil && meter == nil && ppqn == nil) else {
      throw ValidationError(
        "--tempo, --meter, --ppqn: the song given with --over sets them (leave them out)")
    }
    guard start == nil || !guiding.isWanted else {
      throw ValidationError(
        "--start: recording already starts with the song or the clicks (leave --start out)")
    }
  }

  func askServers() { guiding.device.askForTurns(at: guiding.sound.rate.rate) }

  func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let loop = try RunLoop(signals)
    let over = try guiding.song()
    let song = try over?.file.sequences[0] ?? blank()
    if let tempo, case let held = try heldTempo(), !held.isExact {
      EditNumber.tell(tempo, held.value)
    }
    let file = try OutputFile(named: output, overwrite: overwrite)
    let system = session.system(named: "downbeat record")
    let sources = try ports.endpoints(.source, of: system, beside: session, loop: loop)
    let input = try InputPorts(
      session.name(or: "record"), from: sources, of: system, readsAhead: true)
    let limit = try length.map { try SongTime(parsing: $0).nanoseconds(in: song) }
    let take = RecordedFile(
      file: file, path: output, names: Self.names(sources),
      grid: try quantise.map { try grid(of: $0, in: song) }, isQuiet: guiding.reading.quiet)
    let recorder = try Recorder(over: song, division: division)
    let guide = try guiding.begin(song, of: over, length: limit, loop)
    signals.holdForCleanUp()
    if sources.isEmpty, !guiding.reading.quiet {
      Terminal.say("downbeat: waiting for events on port \(input)")
    }
    try JSONReport.begin([
      ("port", .text("\(input)")), ("ports", PortReport.json(sources)),
      ("output", .path(output)),
    ])
    var run = RecordRun(
      input: input, loop: loop, recorder: recorder, filter: try filtering.filter, limit: limit,
      take: take, guide: guide,
      live: try shown(limit, signals))
    if start == .now { run.startNow() }
    if let number = try run.record() { SignalWatch.die(by: number) }
  }

  /// Returns the display of the recording; nil if it is not shown.
  private func shown(_ limit: Int64?, _ signals: SignalWatch) throws -> LiveRecord? {
    try live.display(isQuiet: guiding.reading.quiet, signals).map { display in
      LiveRecord(
        LiveFrame(display, title: output),
        limit: limit.map { " / " + ($0 / 1_000_000_000).clockText } ?? "")
    }
  }

  private var division: Recorder.Division {
    var division: Recorder.Division = []
    if splitPorts { division.insert(.senders) }
    if splitChannels { division.insert(.channels) }
    return division
  }

  /// Returns the names of the tracks, by sender.
  private static func names(_ sources: [Endpoint]) -> [UInt16: String] {
    Dictionary(
      sources.map { ($0.address.track, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns an empty sequence with the tempo and the meter of the options.
  private func blank() throws -> MusicSequence {
    let ticks = ppqn ?? 480
    guard let division = PPQN(ticks) else {
      throw ValidationError("--ppqn \(ticks): must be 1…32767 (try 480)")
    }
    var sequence = MusicSequence(division: .ppqn(division))
    try sequence.setTempo(try heldTempo().value, at: .zero)
    let meter = meter ?? "4/4"
    let parts = meter.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let upper = parts[0], let lower = parts[1] else {
      throw ValidationError("--meter \(meter): not a meter (try 3/4 or 6/8)")
    }
    do {
      try sequence.insertTimeSignature(
        TimeSignature(numerator: upper, denominator: lower), at: .zero)
    } catch let error as TimeError {
      throw ValidationError("--meter \(meter): \(error)")
    }
    return sequence
  }

  private func heldTempo() throws -> Converted<Tempo> {
    let tempo = tempo ?? "120"
    do {
      return try EditNumber.heldTempo(tempo)
    } catch {
      throw ValidationError(
        "--tempo \(tempo): not a number of quarter notes per minute (try 96 or 92.5)")
    }
  }

  private func grid(of text: String, in sequence: MusicSequence) throws -> QuantizeGrid {
    let distance = try EditDistance(parsing: text, isGrid: true)
    return try sequence.grid(step: distance.ticks(in: sequence))
  }
}

/// The value of `--start`: the event or moment at which recording starts.
enum RecordStart: String, ExpressibleByArgument, CaseIterable {
  case first, now
}
