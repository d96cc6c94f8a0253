// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The options of the commands that measure clocks.
struct WatchOptions: ParsableArguments {
  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @Option(help: "Write an SVG plot of the jitter: how far each arrival is from even spacing.")
  var svg: String?

  @Flag(help: "Replace the SVG file if it exists.")
  var overwrite = false

  func validate() throws {
    try session.check(ports.port.isEmpty && !ports.wait, against: "--port and --wait")
  }
}

extension WatchOptions {
  /// Measures until a signal or the end of the time.
  ///
  /// - Parameters:
  ///   - unit: The name of the measured messages, in the plural.
  ///   - clock: The type that follows the clock of each port.
  /// - Throws: The error of a port that does not exist; `OutputFileError` if the plot cannot be
  ///   written.
  func watch<Clock: WatchedClock>(_ unit: String, as clock: Clock.Type) throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let plot = try svg.map { try OutputFile(path: $0, overwrite: overwrite) }
    let input = try ports.openInput(named: "downbeat watch", as: session, loop: loop)
    signals.holdForCleanUp()
    let start = DeadlineWait.now
    var lines = WatchLines(
      input: input, run: WatchRun<Clock>(json: json), start: start, end: duration?.after(start))
    let number = try loop.run(&lines)
    try lines.run.finish(unit, plot)
    if let number { SignalWatch.die(by: number) }
  }
}
