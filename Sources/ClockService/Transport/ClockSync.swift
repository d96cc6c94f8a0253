// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// The master of a clock, and the clocks that it sends to other machines.
///
/// If there is a master, it determines start, stop, position and tempo, and commands for these do
/// nothing. Only a stop has an effect; a `start` after it continues at the master's position.
public struct ClockSync {
  /// The master; nil if the clock runs freely.
  public var master: ExternalClock?
  /// The input that receives the master's messages, with host times; nil if the master does not
  /// send messages, such as the served clock of another process.
  public var input: (any EventInput)?
  /// Called on the event thread with each event of the clock or its master; nil for none.
  public var onEvent: ((ClockEvent) -> Void)?
  /// The clocks that are sent to other machines; none by default.
  ///
  /// Outputs of one kind share one generator, and can have any number of sinks.
  public var outputs: [Output] = []

  /// A clock generator, and a sink that receives its messages.
  public struct Output {
    let generator: any ClockGenerator
    let track: UInt16
    let sink: any EventSink<HostTime>
    let delay: Duration

    /// Creates an output that sends MIDI clock to a sink at host times, later by a delay; 0 by
    /// default.
    public init(
      _ generator: MIDIClockGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MIDIClockGenerator.track
    }

    /// Creates an output that sends MIDI time code to a sink at host times, later by a delay; 0 by
    /// default.
    public init(
      _ generator: MTCGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MTCGenerator.track
    }
  }

  /// Creates settings without a master and without clock outputs.
  public init() {}

  /// Adds the sinks of the clock outputs to a router, whose events have the time of a reference
  /// clock.
  ///
  /// At each instant, these sinks receive events before the destinations of notes.
  ///
  /// - Parameters:
  ///   - router: The router.
  ///   - reference: The clock of the router's events.
  ///   - inLineDelay: The additional delay of sinks that `inLine` returned, which is the latency of
  ///     the sound to which they must be in time; 0 by default.
  ///   - inLine: Returns a sink that accepts the router's times in place of a given sink, or nil to
  ///     keep the given sink; nil by default.
  /// - Precondition: Outputs of one kind have the same generator.
  /// - Returns: The routes of the clocks.
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

  /// The generators, without duplicates.
  fileprivate var generators: [any ClockGenerator] {
    outputs.reduce(into: []) { known, output in
      if !known.contains(where: { $0 === output.generator }) { known.append(output.generator) }
    }
  }
}

extension EventLane {
  /// Sets the master, if there is one, and the clock generators of the lane.
  public func use(_ sync: ClockSync) {
    generators = sync.generators
    onEvent = sync.onEvent
    guard let master = sync.master else { return }
    self.master = master
    masterInput = sync.input
  }
}
