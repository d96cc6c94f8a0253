// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import MIDIMessages
internal import MusicalTime

extension PlayableUnit {
  /// The unit as a sink; a kit, if given, receives the notes that have a pad.
  func sink(with kit: ClipKit? = nil) -> any EventSink<ReferenceTime> {
    guard let kit else { return self }
    return KitSplit(kit, self)
  }
}

/// A sink that sends notes with a pad to a kit of clips, and all other events to an instrument.
final class KitSplit: EventSink {
  private let kit: ClipKit
  private let instrument: any EventSink<ReferenceTime>

  init(_ kit: ClipKit, _ instrument: any EventSink<ReferenceTime>) {
    self.kit = kit
    self.instrument = instrument
  }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    for index in events.indices {
      let event = events.extracting(index..<index + 1)
      let sink: any EventSink<ReferenceTime> = kit.plays(events[index]) ? kit : instrument
      guard try sink.send(event, payloads: payloads) == 1 else { return index }
    }
    return events.count
  }

  func cancel(from time: ReferenceTime) {
    kit.cancel(from: time)
    instrument.cancel(from: time)
  }
}
