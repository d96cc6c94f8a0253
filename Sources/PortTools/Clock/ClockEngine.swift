// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// A clock that runs until a signal, a time limit or a command, with its ports.
struct ClockEngine {
  /// The time limit for sending the last messages.
  private static let drainTime = Duration.milliseconds(200)

  let clock: Transport
  /// The ports to which it sends; they are drained at the end.
  var ports: [OutputPorts] = []
  /// Keeps the port of the master connected; nil for none.
  var keeper: PortKeeper?

  /// The remote control, with its server and web page; nil for none.
  var led: (controls: ClockControls, server: ControlServer?, web: WebClock?)?
  /// The name of the sync source, for the web page; empty for none.
  var source = ""
  /// The markers of the song whose maps are used.
  var markers: [(tick: Tick, name: String)] = []
  /// Sends events by OSC, and records them; nil for none.
  var telling: (output: OSCOutput, log: ClockLog)?

  /// Runs until a signal, the end of a duration, or the command `quit`; then stops the clock, and
  /// informs its followers.
  ///
  /// After a signal, it ends the process.
  ///
  /// - Parameters:
  ///   - loop: The run loop, which receives signals.
  ///   - duration: The duration, counted from the start; nil for no limit.
  ///   - control: Reads commands from standard input; nil for none.
  /// - Throws: The error that ended the clock's thread, such as one of a port.
  func run(
    _ loop: RunLoop, for duration: TypedTime?, control: ClockControl? = nil
  ) throws {
    var run = ClockRun(
      engine: self, control: control,
      end: duration?.after((MonotonicClock.now + clock.lead).nanoseconds) ?? .max)
    let number = try loop.run(&run)
    clock.end()
    for ports in ports { ports.drain(within: Self.drainTime) }
    if let number { SignalWatch.die(by: number) }
  }

  /// Performs the commands of other programs, and sends changes to them; returns true if one ended
  /// the clock.
  func serveOthers() -> Bool {
    if let (output, log) = telling {
      let snapshot = clock.snapshot
      output.update(log.take(), snapshot, snapshot.clock.timeContext)
    }
    guard let (controls, server, web) = led else { return false }
    _ = server?.update(controls)
    _ = web?.update(scene(controls), leading: controls)
    return controls.hasEnded
  }

  private func scene(_ controls: ClockControls) -> WebScene {
    let snapshot = clock.snapshot
    return WebScene(
      clock: snapshot, context: snapshot.clock.timeContext, title: controls.name, source: source,
      markers: markers)
  }
}
