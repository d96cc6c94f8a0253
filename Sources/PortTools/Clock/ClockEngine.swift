// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// A clock that runs until a signal, an end or a word, and the ports that it keeps.
struct ClockEngine {
  /// How long the last messages have to leave.
  private static let drainTime = Duration.milliseconds(200)

  let clock: Transport
  /// The ports that it sends through, emptied at the end.
  var ports: [OutputPorts] = []
  /// What keeps the port that it hears connected.
  var keeper: PortKeeper?

  /// What other programs change of it, and what lets them, nil where none may.
  var led: (controls: ClockControls, server: ControlServer?, web: WebClock?)?
  /// What it follows, for those who look; empty where nothing.
  var source = ""
  /// The markers of the song whose maps it has.
  var markers: [(tick: Tick, name: String)] = []
  /// What tells others of it, and what has happened to it.
  var telling: (output: OSCOutput, log: ClockLog)?

  /// Runs until a signal, the end of a time that counts from the start, or the word `quit`; then
  /// stops the clock, and those who follow are told.
  ///
  /// A signal then ends the process.
  ///
  /// - Parameters:
  ///   - loop: loops for signals.
  ///   - duration: the time; nil for no end.
  ///   - control: reads commands from standard input.
  /// - Throws: what ended the thread: a port that cannot be written to.
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

  /// Does what other programs ask for, and tells them what is new; true where one ended the clock.
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
