// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import ClockService
package import CommandKit
package import MIDIPorts
package import MusicalTime
package import NetworkSockets
package import PlayerControl

/// The options for clock outputs: ports that receive MIDI clock or MIDI time code, and programs
/// that receive OSC.
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

  /// Opens the OSC output; nil without `--osc-out`.
  ///
  /// - Throws: `NetworkError` if an address cannot be resolved.
  package func openTelling() throws(NetworkError) -> OSCOutput? {
    oscOut.isEmpty ? nil : try OSCOutput(to: oscOut) { Terminal.report($0) }
  }

  /// Opens the ports.
  ///
  /// - Parameters:
  ///   - context: The tempo map and time codes to send.
  ///   - system: The system in which the ports are opened; nil for a separate one each.
  ///   - waits: True to wait for ports that do not exist yet.
  ///   - loop: The run loop; a signal ends the process.
  /// - Returns: The clock outputs, and their ports.
  /// - Throws: The error of a port that does not exist.
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
  /// The clock outputs of the ports, all with one generator.
  func outputs(of generator: MIDIClockGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port.sink, delay: $0.delay) }
  }

  /// The clock outputs of the ports, all with one generator.
  func outputs(of generator: MTCGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port.sink, delay: $0.delay) }
  }
}
