// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// What a clock follows in the place of its own time, and what it leads.
///
/// With a master, start, stop, position and tempo are the master's, and commands for them do
/// nothing. Only a stop takes effect; `start` then goes on where the master is.
public struct ClockSync {
  /// The master; nil where the clock runs by itself.
  public var master: ExternalClock?
  /// What brings the master's messages, at host times; nil for a clock of another process.
  public var input: (any EventInput)?
  /// Told, on the event thread, of what happens to the clock and what its master does.
  public var onEvent: ((ClockEvent) -> Void)?
  /// The clocks that are sent out: one generator of a kind, for any number of sinks; none by
  /// default.
  public var outputs: [Output] = []

  /// A generator and one place where its messages go.
  public struct Output {
    let generator: any ClockGenerator
    let track: UInt16
    let sink: any EventSink<HostTime>
    let delay: Duration

    /// Sends MIDI clock to a sink, at host times, later by a time.
    public init(
      _ generator: MIDIClockGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MIDIClockGenerator.track
    }

    /// Sends MIDI time code to a sink, at host times, later by a time.
    public init(
      _ generator: MTCGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MTCGenerator.track
    }
  }

  /// Creates one that follows nothing and leads nobody.
  public init() {}

  /// Adds the sinks to a router, whose events are in the time of a reference clock; they are sent to
  /// before those that take notes.
  ///
  /// - Parameters:
  ///   - router: what sends to them.
  ///   - reference: the clock of its events.
  ///   - inLineDelay: by how much what goes to a sink in line is later: the latency of what sounds beside
  ///     it.
  ///   - inLine: a sink in the time of the router's events, where what has the sink has one; else
  ///     nil.
  /// - Precondition: No two outputs have different generators of one kind.
  /// - Returns: The routes that the clocks take.
  public func addDestinations(
    to router: Router, along reference: ReferenceClock, inLineDelay: Duration = .zero,
    inLine: (any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? = { _ in nil }
  ) -> [Route] {
    precondition(
      generators.count == Set(outputs.map(\.track)).count,
      "only one generator of each kind is allowed")
    return outputs.map { output in
      let sink = inLine(output.sink)
      return Route(
        track: output.track,
        to: router.addDestination(
          sink ?? PortSink(output.sink, reference),
          delay: output.delay + (sink == nil ? .zero : inLineDelay), leads: true))
    }
  }

  /// The generators, once each.
  fileprivate var generators: [any ClockGenerator] {
    outputs.reduce(into: []) { known, output in
      if !known.contains(where: { $0 === output.generator }) { known.append(output.generator) }
    }
  }
}

extension EventLane {
  /// Puts the master, if there is one, in the place of the lane's clock, and adds the generators.
  public func use(_ sync: ClockSync) {
    generators = sync.generators
    onEvent = sync.onEvent
    guard let master = sync.master else { return }
    self.master = master
    masterInput = sync.input
  }
}
