// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A sink for an instrument of a graph that a program renders, which plays each event at its frame.
final class SliceSink: SliceDestination {
  private let instrument: InstrumentPlayer
  /// The time of the next slice's start, on the run's timeline.
  private var start = ReferenceTime.zero
  /// The frame of the instrument at that time.
  private var frame: Int64 = 0

  init(_ instrument: InstrumentPlayer) {
    self.instrument = instrument
  }

  /// Stores the start of the next slice.
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
