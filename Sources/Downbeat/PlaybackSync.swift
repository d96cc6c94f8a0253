// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MIDIMessages
internal import MusicalTime

/// What a playback follows in the place of a clock of its own, and what it leads.
///
/// With a master start, stop, position and tempo are the master's: commands of that kind do
/// nothing, but for `pause`, after which `start` goes on where the master is by then.
public struct PlaybackSync {
  /// The master; nil where the playback runs on its own clock.
  public var master: ExternalClock?
  /// What brings the master's messages, at host times; nil for a clock of another process.
  public var input: (any EventInput)?
  /// Told, on the event thread, of what the master does.
  public var onMasterEvent: ((FollowerEvent) -> Void)?
  /// The clocks that are sent out.
  public var outputs: [Output] = []

  /// A generator and where its messages go.
  public struct Output {
    let generator: any ClockGenerator
    let track: UInt16
    let sink: any EventSink
    let delay: Int64

    /// Sends MIDI clock to a sink, at host times, later by a number of nanoseconds.
    public init(_ generator: MIDIClockGenerator, to sink: any EventSink, delay: Int64 = 0) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MIDIClockGenerator.track
    }

    /// Sends MIDI time code to a sink, at host times, later by a number of nanoseconds.
    public init(_ generator: MTCGenerator, to sink: any EventSink, delay: Int64 = 0) {
      (self.generator, self.sink, self.delay) = (generator, sink, delay)
      track = MTCGenerator.track
    }
  }

  /// Creates one that follows nothing and leads nobody.
  public init() {}
}

extension EventLane {
  /// Puts the master, if there is one, in the place of the lane's clock, and adds the generators.
  func use(_ sync: PlaybackSync) {
    generators = sync.outputs.map(\.generator)
    guard let master = sync.master else { return }
    self.master = master
    masterInput = sync.input
    onMasterEvent = sync.onMasterEvent
  }
}
