// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// The master of a clock, and its clock outputs.
///
/// With a master, start, stop, position and tempo are those of the master, and commands for them do
/// nothing. Only a stop takes effect; `start` then continues at the master's position.
public struct ClockSync {
  /// The master; nil if the clock runs freely.
  public var master: ExternalClock?
  /// The input for the master's messages, at host times; nil for a clock of another process.
  public var input: (any EventInput)?
  /// Called on the event thread for events of the clock and of its master.
  public var onEvent: ((ClockEvent) -> Void)?
  /// The clocks that are sent: one generator of each kind, for any number of sinks; none by
  /// default.
  public var outputs: [Output] = []

  /// A generator, and a sink for its messages.
  public struct Output {
    let generator: any ClockGenerator
    let track: UInt16
    let sink: any EventSink<HostTime>
    let delay: Duration

    /// Sends MIDI clock to a sink at host times, later by a delay; 0 by default.
    public init(
      _ generator: MIDIClockGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MIDIClockGenerator.track
    }

    /// Sends MIDI time code to a sink at host times, later by a delay; 0 by default.
    public init(
      _ generator: MTCGenerator, to sink: any EventSink<HostTime>, delay: Duration = .zero
    ) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MTCGenerator.track
    }
  }

  /// Creates a synchronisation without a master and clock outputs.
  public init() {}

  /// Adds the sinks to a router with events in the time of a reference clock.
  ///
  /// They receive events before the destinations of notes.
  ///
  /// - Parameters:
  ///   - router: The router.
  ///   - reference: The clock of the router's events.
  ///   - inLineDelay: The additional delay of sinks from `inLine`: the latency of the sound with
  ///     which they are in time; 0 by default.
  ///   - inLine: Returns a replacement of a sink that accepts the router's times, or nil; nil by
  ///     default.
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
  /// Sets the master, if there is one, and the generators of the lane.
  public func use(_ sync: ClockSync) {
    generators = sync.generators
    onEvent = sync.onEvent
    guard let master = sync.master else { return }
    self.master = master
    masterInput = sync.input
  }
}
