// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import MIDIPorts
internal import PortTools

/// The options for the MIDI ports that songs are played to.
struct PlayPortOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Play to a MIDI port: its number, name or part of the name; repeatable. The ports of a song"
        + " are assigned to these ports in order. rtp:NAME and rtp:HOST:PORT are network sessions.",
      valueName: "client:port"), completion: .ports(.destination))
  var port: [String] = []

  @Option(
    name: .customLong("virtual"),
    help: "Create a MIDI source with this name for other programs to connect to.")
  var virtualName: String?

  @OptionGroup var session: SessionOptions

  @Flag(
    help: ArgumentHelp(
      "Wait for the named ports and sound server, or, with --virtual or --rtp, for a connection."))
  var wait = false

  @Flag(help: "Play through the synthesiser in addition to the ports.")
  var synth = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Delay of a port in milliseconds, -100…10000; negative is earlier. Repeat it for each port.",
      valueName: "ms"))
  var offset: [Int] = []

  @OptionGroup var sysEx: SysExOptions

  @Option(help: "Send a reset before each song; auto sends gm, unless the song has a reset.")
  var reset = InstrumentReset.none

  func validate() throws {
    guard offset.allSatisfy({ (-100...10_000).contains($0) }) else {
      throw ValidationError("--offset: must be -100…10000 milliseconds")
    }
    guard hasPorts || (offset.isEmpty && reset == .none && !synth) else {
      throw ValidationError(
        "--offset, --reset and --synth need a port (add --port or --virtual)")
    }
    try session.check(virtualName == nil, against: "--virtual")
  }

  /// True if the synthesiser is used.
  var usesSynth: Bool { synth || !hasPorts }

  var hasPorts: Bool { !port.isEmpty || ownName != nil }

  /// The name of the port that other programs can connect to; nil for none.
  private var ownName: String? { virtualName ?? session.session.map { "rtp:\($0)" } }

  /// Opens and connects the ports, and waits for them with `--wait`; nil without ports.
  func open(_ loop: RunLoop) throws -> OutputPorts? {
    guard hasPorts else { return nil }
    let system = session.system(named: virtualName ?? "downbeat play", isGuarded: true)
    let targets = try PortFinder(system, waitingBy: wait ? loop.waitUntilReadable : nil)
      .find(port, .destination)
    let names = targets.map { _ in "play" } + (ownName.map { [$0] } ?? [])
    let ports = try OutputPorts(
      names, to: targets, of: system, delays: offset.map { .milliseconds($0) },
      sysExSpeed: sysEx.sysexRate)
    if wait, ownName != nil {
      try ports.waitForListener(by: loop.waitUntilReadable)
    }
    return ports
  }
}
