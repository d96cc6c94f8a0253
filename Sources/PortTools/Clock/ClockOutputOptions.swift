// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import ClockService
package import CommandKit
package import MIDIPorts
package import MusicalTime
package import NetworkSockets
package import PlayerControl

/// Who is led by a clock that does other things too: ports, by MIDI clock and MIDI time code, and
/// programs, by Open Sound Control.
package struct ClockOutputOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp("Send MIDI clock to a port; repeatable.", valueName: "client:port"),
    completion: .ports(.destination))
  var clockOut: [String] = []

  @Option(
    help: ArgumentHelp("Send MIDI time code to a port; repeatable.", valueName: "client:port"),
    completion: .ports(.destination))
  var mtcOut: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send beats, starts, stops and positions to HOST:PORT as OSC messages, before they are due;"
        + " repeatable.", valueName: "host:port"))
  var oscOut: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Delay of a --clock-out port, -100…1000 ms; negative is earlier. Repeat it for each port.",
      valueName: "ms"))
  var clockOffset: [Double] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Delay of a --mtc-out port, -100…1000 ms; negative is earlier. Repeat it for each port.",
      valueName: "ms"))
  var mtcOffset: [Double] = []

  package func validate() throws {
    try OffsetOption.check("--clock-offset", clockOffset)
    try OffsetOption.check("--mtc-offset", mtcOffset)
    guard clockOffset.isEmpty || !clockOut.isEmpty, mtcOffset.isEmpty || !mtcOut.isEmpty else {
      throw ValidationError("--clock-offset needs --clock-out, and --mtc-offset needs --mtc-out")
    }
  }

  /// What tells others by Open Sound Control; nil where nobody is to be told.
  ///
  /// - Throws: `NetworkError` where one of them is nowhere.
  package func openTelling() throws(NetworkError) -> OSCOutput? {
    oscOut.isEmpty ? nil : try OSCOutput(to: oscOut) { Terminal.report($0) }
  }

  /// Opens the ports.
  ///
  /// - Parameters:
  ///   - context: the tempi and labels by which they are led.
  ///   - system: the system in which they are opened; nil for one of their own each.
  ///   - waits: whether ports that are not there are waited for.
  ///   - loop: the run loop; a signal ends the process.
  /// - Returns: what is sent to them, and the ports.
  /// - Throws: where a port is not there.
  package func open(
    _ context: TimeContext, on system: PortSystem?, waits: Bool, loop: RunLoop
  ) throws -> (outputs: [ClockSync.Output], ports: [OutputPorts]) {
    var outputs: [ClockSync.Output] = []
    var ports: [OutputPorts] = []
    func open(_ targets: [String], _ offsets: [Double], _ name: String) throws -> OutputPorts {
      var options = PortOptions()
      options.port = targets
      options.wait = waits
      let opened = try options.openOutputs(
        named: name, offsets: offsets, of: system, loop: loop)
      ports.append(opened)
      return opened
    }
    if !clockOut.isEmpty {
      guard case .ppqn = context.tempoMap.division else {
        throw Failure(
          .usage,
          "--clock-out: this song is timed in SMPTE frames, not in beats (try --mtc-out)")
      }
      let clocks = try open(clockOut, clockOffset, "downbeat clock")
      outputs += clocks.members.outputs(of: MIDIClockGenerator(tempoMap: context.tempoMap))
    }
    if !mtcOut.isEmpty {
      let labels = try open(mtcOut, mtcOffset, "downbeat mtc")
      outputs += labels.members.outputs(
        of: MTCGenerator(tempoMap: context.tempoMap, offset: context.labelOffset))
    }
    return (outputs, ports)
  }
}

extension [OutputPorts.Member] {
  /// The ports as a clock takes them, all behind one generator.
  func outputs(of generator: MIDIClockGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port.sink, delay: $0.delay) }
  }

  /// The ports as a clock takes them, all behind one generator.
  func outputs(of generator: MTCGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port.sink, delay: $0.delay) }
  }
}
