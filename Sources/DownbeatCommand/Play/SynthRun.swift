// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MIDIPorts
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import Realtime

/// The work of a synth in the run loop: it plays incoming events until the user ends it.
struct SynthRun: RunLoopBody {
  /// The period at which devices and plug-ins are checked, in nanoseconds.
  private static let period: Int64 = 20_000_000

  private let input: InputPorts
  private let instrument: LiveInstrument
  private let output: OutputDevice
  private let controls: SynthControls
  private let server: ControlServer?
  private let signals: SignalWatch
  private var live: LiveSynth?
  private var plugins: PluginWatch
  private var device: DeviceWatch
  private var buffer = HostEventBuffer()
  private var overflows = 0

  init(
    input: InputPorts, instrument: LiveInstrument, output: OutputDevice, mixed: [MixedInput],
    controls: SynthControls, server: ControlServer?, live: LiveSynth?, signals: SignalWatch,
    isQuiet: Bool
  ) {
    self.input = input
    self.instrument = instrument
    self.output = output
    self.controls = controls
    self.server = server
    self.signals = signals
    self.live = live
    plugins = PluginWatch(instrument.graph, isQuiet: isQuiet)
    device = DeviceWatch(output, inputs: mixed)
  }

  var descriptors: [Int32] {
    input.descriptors + input.keeper.descriptors + (live?.frame.display.descriptors ?? [])
      + (server?.descriptors ?? [])
  }

  var deadline: Int64? { DeadlineWait.now + Self.period }

  mutating func turn() throws -> Bool {
    if let fault = instrument.fault { throw fault }
    _ = try device.look()
    plugins.update()
    for case .gone in try input.keeper.update().told() { try instrument.release() }
    try play()
    let isLed = controls.follow(signals, server)
    live?.update(instrument, xruns: output.xrunCount, isUrgent: isLed)
    if controls.hasEnded { JSONReport.setReason("quit") }
    return !controls.hasEnded
  }

  func stop(by signals: SignalWatch) throws {
    try instrument.release()
    live?.frame.display.leave()
    signals.pause()
    live?.frame.display.enter()
  }

  /// Plays the events that were received.
  private mutating func play() throws {
    buffer.removeAll()
    try input.drain(into: &buffer)
    try instrument.play(buffer)
    JSONReport.count(buffer.events.count)
    controls.take(buffer)
    guard input.overflows > overflows else { return }
    overflows = input.overflows
    JSONReport.tell("overflow", [("count", .integer(overflows))])
    Terminal.report("events arrived faster than they were read; some are lost")
  }
}
