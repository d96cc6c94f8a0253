// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// An instrument of a graph that is asked for slices, which gets each event at its frame.
final class SliceSink: EventSink {
  private let instrument: InstrumentPlayer
  /// When the slice that is made next begins, in the run's time.
  private var start = ReferenceTime.zero
  /// The instrument's frame at that time.
  private var frame: Int64 = 0

  init(_ instrument: InstrumentPlayer) {
    self.instrument = instrument
  }

  /// Takes note of where the next slice begins.
  func begin(at time: ReferenceTime) {
    start = time
    frame = instrument.nextFrame
  }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    instrument.send(events, payloads: payloads) { self.place($0) }
  }

  func cancel(from time: ReferenceTime) {
    instrument.cancel(from: place(time))
  }

  private func place(_ time: ReferenceTime) -> ReferenceTime {
    let shift = instrument.rate.timeRoundedUp(of: SampleTime(frames: frame)).nanoseconds
    return time.advanced(saturating: shift - start.nanoseconds)
  }
}
