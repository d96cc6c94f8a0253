// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The command `downbeat send`, which sends messages to ports.
package struct Send: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send MIDI messages from words, files or standard input.",
    discussion: """
      WORDS:
        ch N                         channel of the words that follow, 1…16
        on KEY VEL, off KEY VEL      note-on and note-off
        pp KEY N, cp N               key pressure and channel pressure
        cc N|NAME N, cc14 N|NAME N   controller with 7 bits, with 14 bits
        pc N|NAME, pb N              program; pitch bend, 0…16383
        rpn N N, nrpn N N            (non-)registered parameter and its value
        syx BYTES, syf FILE          SysEx message, file of SysEx messages
        start, stop, cont, spp N     transport and song position
        mc BPM                       MIDI clock for two quarter notes
        tc N N, ss N, tun, as, rst   MTC quarter frame, song select, tune
                                     request, active sensing, reset
        panic                        silence all notes
        raw BYTES, file FILE         send any bytes; read words from a file
        dec, hex, omc OCTAVE         base of numbers; octave of middle C
        wait TIME                    wait before the next word
        HH:MM:SS.mmm                 time since the start; with + before it,
                                     since the previous word

      Keys are numbers or names (C4 is 60; after omc 3, C3 is 60). On channel 10, they can be drum \
      names (snare), too. Channels and programs are numbered from 1. Numbers ending in H are \
      hexadecimal; numbers ending in M are decimal.

      EXAMPLES:
        downbeat send -p fluid ch 1 pc violin on C4 100 wait 500ms off C4 0
        downbeat send -p fluid ch 10 on snare 100 cc volume 90
        downbeat send -p UM-ONE patch.syx
        downbeat send -p UM-ONE hex syx F0 7E 7F 09 01 F7
        generator | downbeat send -p fluid -
        cat keys.bin | downbeat send -p fluid --raw
      """)

  @OptionGroup package var ports: PortOptions
  @OptionGroup package var session: SessionOptions
  @OptionGroup var octaves: OctaveOption

  @Argument(
    help: "Words to send. Without words, or with -, lines of words are read from standard input.")
  package var words: [String] = []

  @Flag(help: "Read MIDI bytes from standard input.")
  var raw = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start after this time (2s), or at N nanoseconds of the monotonic clock (host:N).",
      valueName: "time"))
  package var at: String?

  @Option(
    name: .customLong("virtual"),
    help: "Open a source port of this name; with --wait, wait until it is connected.")
  package var virtualName: String?

  @OptionGroup package var sysEx: SysExOptions

  @OptionGroup package var report: JSONOption

  package func validate() throws {
    try session.check(
      ports.port.isEmpty && virtualName == nil, against: "--port and --virtual")
    guard !raw || words.isEmpty else { throw ValidationError("--raw cannot be used with words") }
    _ = try start(from: 0)
  }

  package func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let loop = try RunLoop(signals)
    var script = SendScript(keys: octaves.keys)
    let isLive = raw || words.isEmpty || words == ["-"]
    if !isLive { try script.read(words) }
    let system = session.system(named: virtualName ?? "downbeat send", isGuarded: true)
    let targets = try ports.endpoints(.destination, of: system, beside: session, loop: loop)
    let isOwn = virtualName != nil || session.session != nil
    guard !targets.isEmpty || isOwn else {
      throw Failure(.usage, "send: no port (add -p PORT, --virtual NAME or --rtp NAME)")
    }
    let outputs = try OutputPorts(
      [session.name(or: virtualName ?? "out")], to: targets, of: system,
      sysExSpeed: sysEx.sysexRate)
    if isOwn, ports.wait { try outputs.waitForListener(by: loop.waitUntilReadable) }
    signals.holdForCleanUp()
    try JSONReport.begin([
      ("port", .text("\(outputs.members[0].port)")), ("ports", PortReport.json(targets)),
    ])
    // A script with times starts a little later, so that its first event is on time, too.
    let lead = isLive || !script.takesTime ? 0 : Self.lead
    let origin = HostTime(nanoseconds: try start(from: DeadlineWait.now + lead))
    var run = SendRun(
      ports: outputs, origin: origin, script: script,
      input: isLive ? (raw ? .bytes : .words) : nil)
    if let number = try run.play(in: loop) {
      outputs.silence()
      SignalWatch.die(by: number)
    }
    // Notes that the script leaves on are intended.
    outputs.leaveSounding()
    let lost = outputs.members.reduce(0) { $0 + $1.port.lostEventCount }
    if lost > 0 { throw Failure(.ioError, "ports: \(lost.counted("event")) could not be sent") }
  }

  private static let lead: Int64 = 50_000_000

  private func start(from now: Int64) throws -> Int64 {
    guard let at else { return now }
    if at.hasPrefix("host:") {
      guard let instant = Int64(at.dropFirst(5)), instant >= 0 else {
        throw ValidationError("--at \(at): must be host:N, with N in nanoseconds")
      }
      return instant
    }
    let distance = try TypedTime(parsing: at).nanoseconds
    guard (0..<Int64.max / 4).contains(distance) else {
      throw ValidationError("--at \(at): must be a delay, counted from now (try 2s)")
    }
    return now + distance
  }
}
