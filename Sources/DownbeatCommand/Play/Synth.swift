// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import JSONText
internal import LV2Units
internal import MIDIMessages
internal import MIDIPorts
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import Realtime
internal import SongTools
internal import SoundTools

/// The command `downbeat synth`, which plays incoming MIDI events in real time.
struct Synth: ReportingCommand, SoundingCommand {
  private static let usualName = "downbeat synth"

  static let configuration = CommandConfiguration(
    commandName: "synth", abstract: "Run as a software synthesiser: MIDI in, sound out.",
    discussion: """
      Other programs can connect to the synthesiser's MIDI port; --port connects it to other \
      ports. Latency is constant and printed at the start: it is the device's buffer plus one \
      period plus one millisecond. `downbeat ctl` can set its volume, transposition and programs, \
      mute and solo channels, and stop all notes.

      EXAMPLES:
        downbeat synth -p UM-ONE                     play a keyboard
        downbeat synth & aplaymidi -p 'downbeat synth' song.mid
        downbeat synth --instrument lv2:mda-epiano   use a plug-in, no soundfont
        downbeat synth --rtp organ                   open a session on the network
        downbeat synth --name organ --soundfont organ.sf2 --period 64 --periods 2
      """)

  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions

  @Option(help: "Name of the MIDI port.")
  var name = Self.usualName

  @OptionGroup var device: OutputDeviceOptions

  @OptionGroup var inputs: InputOptions

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  @OptionGroup(title: "Terminal") var live: LiveOptions

  @OptionGroup(title: "Remote control") var control: ControlOptions

  @OptionGroup var sound: SoundOptions
  @OptionGroup var report: JSONOption

  func validate() throws {
    try session.check(
      ports.port.isEmpty && !ports.wait && name == Self.usualName,
      against: "--port, --wait and --name")
    try device.checkLoss([.move, .wait, .stop], "a synth cannot pause")
    try sound.chains.checkTracks(Self.noTracks)
    guard sound.clips == nil else {
      throw ValidationError("--clips: available only in play and render (leave it out)")
    }
  }

  /// Creates the instrument: the soundfont, or a plug-in.
  private func instrument(
    _ settings: SessionSettings, on output: any OutputUnit
  ) throws -> LiveInstrument {
    let chains = try sound.savedChains(rate: settings.rate, for: nil)
    guard chains.groups.isEmpty, chains.buses.isEmpty else {
      throw Failure(
        .usage, "\(sound.tracksSource): \(Self.noTracks)", options: ["--graph"])
    }
    let registry = try PluginShelf.standard.registry(for: chains.units, isLive: true)
    guard let unit = chains.instrument else {
      return try LiveInstrument(settings, registry: registry, on: output)
    }
    let instrument: any PlayableUnit
    do throws(GraphError) {
      instrument = try EffectsFile.instrument(unit, "instrument", registry, settings.rate)
    } catch { throw Failure(.failure, "\(error)") }
    return try LiveInstrument(instrument, settings, registry: registry, on: output)
  }

  private static let noTracks = "not used by a synth, only by songs (leave it out)"

  func askServers() { device.askForTurns(at: sound.rate.rate, isLive: true) }

  func run() throws {
    let signals = SignalWatch(whilePlaying: true, isLed: true)
    let loop = try RunLoop(signals)
    let server = try control.server()
    defer { server?.end() }
    let name = session.name(or: self.name)
    if ports.wait {
      loop.waitForServers(for: [device.audio.text, name] + inputs.input.map(\.device))
    }
    let system = session.system(named: name)
    let sources = try ports.endpoints(.source, of: system, beside: session, loop: loop)
    let output = try device.open(rate: sound.rate, isLive: true)
    let settings = try sound.settings(sound.settings(), at: output.rate)
    sound.tellEngine(of: settings, isVerbose: device.verbose)
    let instrument = try instrument(settings, on: output.unit)
    let mixed = try inputs.open(beside: output)
    for input in mixed { try instrument.addInput(input.unit, gain: input.gain) }
    signals.holdForCleanUp()
    defer { instrument.end() }
    // Other programs may send events as soon as the port is visible.
    let input = try InputPorts(
      system.split(name).kind == nil ? "synth" : name, from: sources, of: system)
    if !quiet { tell(input, instrument, output) }
    let controls = SynthControls(instrument, named: name)
    try JSONReport.begin([
      ("port", .text("\(input)")), ("ports", PortReport.json(sources)),
      ("device", .text(output.name)),
      ("milliseconds", .decimal((instrument.latency / .milliseconds(1)).decimal(3))),
    ])
    let shown = try live.display(isQuiet: quiet, signals).map { display in
      LiveSynth(
        LiveFrame(display, title: "\(name)  (port \(input))"),
        latency: Self.latency(instrument), controls)
    }
    shown?.frame.display.enter()
    defer { shown?.frame.display.leave() }
    var run = SynthRun(
      input: input, instrument: instrument, output: output, mixed: mixed, controls: controls,
      server: server, live: shown, signals: signals, isQuiet: quiet)
    let number = try loop.run(&run)
    instrument.end()
    shown?.frame.display.leave()
    server?.end()
    SoundTrouble(
      xruns: output.xrunCount, remedy: output.remedy, refusedNotes: instrument.refusedNoteCount,
      shedVoices: instrument.shedVoiceCount, engine: sound.engine
    ).report(isQuiet: quiet)
    if let number { SignalWatch.die(by: number) }
  }

  private func tell(_ input: InputPorts, _ instrument: LiveInstrument, _ output: OutputDevice) {
    if let refusal = output.refusal { Terminal.report(refusal) }
    let later = Self.latency(instrument)
    Terminal.say("downbeat: playing events from port \(input), latency \(later)")
  }

  private static func latency(_ instrument: LiveInstrument) -> String {
    "\((instrument.latency / .milliseconds(1)).decimal(1)) ms"
  }
}
