// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime

/// What a playing song follows, and what it leads.
struct SyncOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow a master: midi:PORT, mtc:PORT or clock:NAME.", valueName: "master"))
  var sync: SyncSource?

  @Option(
    help: ArgumentHelp(
      "Send MIDI clock to a port while playing; repeatable.", valueName: "client:port"))
  var clockOut: [String] = []

  @Option(
    help: ArgumentHelp(
      "Send MIDI time code to a port while playing; repeatable.", valueName: "client:port"))
  var mtcOut: [String] = []

  @Option(help: "Frame rate of time code: 24, 25, 29.97df, 30. Default 25, or the song's.")
  var fps: String?

  @Option(parsing: .unconditional, help: "The label at the song's start, such as 01:00:00:00.")
  var smpteOffset: String?

  /// Whether anything is asked for.
  var isUsed: Bool { sync != nil || !clockOut.isEmpty || !mtcOut.isEmpty }

  /// A song's context with the rate and the offset of the flags.
  func context(of song: TimeContext) throws -> TimeContext {
    let flags = [("fps", fps), ("smpte-offset", smpteOffset)]
    let given = try ConvertSetting.parse(
      flags.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    ).context(markers: false).context
    var context = song
    context.assumedFrameRate = .fps25
    if let rate = given.frameRate { try context.relabel(at: rate) }
    if smpteOffset != nil { context.smpteOffset = given.smpteOffset }
    return context
  }

  /// Adds the generators that are asked for to a lane, each with ports of its own.
  ///
  /// - Parameters:
  ///   - scheduler: whose first lane it is.
  ///   - context: the maps and the offset of what is played.
  ///   - signals: what ends the search for a port.
  ///   - adapt: makes a sink of host time one of the lane's reference time.
  /// - Returns: the ports.
  /// - Throws: where a port is not there.
  func addOutputs(
    to scheduler: EventScheduler, context: TimeContext, signals: SignalWait,
    adapt: (OutputPort) -> any EventSink = { $0 }
  ) throws -> [OutputPort] {
    let lane = scheduler.lanes[0]
    var ports: [OutputPort] = []
    func add(_ texts: [String], _ generator: any ClockGenerator, track: UInt16) throws {
      guard !texts.isEmpty else { return }
      var options = PortOptions()
      options.port = texts
      options.wait = false
      let port = try options.openOutput(named: "downbeat clock", signals: signals)
      let destination = scheduler.router.addDestination(adapt(port))
      scheduler.router.addRoute(Route(track: track, to: destination))
      lane.generators.append(generator)
      ports.append(port)
    }
    try add(
      clockOut, MIDIClockGenerator(tempoMap: context.tempoMap), track: MIDIClockGenerator.track)
    try add(
      mtcOut, MTCGenerator(tempoMap: context.tempoMap, offset: context.labelOffset),
      track: MTCGenerator.track)
    return ports
  }
}
