// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime

/// Where an output's reference time lies on the host's clock, by the pace of its device.
///
/// An instant keeps the host time it was once given: what the device's clock says anew holds for
/// what lies beyond.
///
/// - Note: owned by the event thread.
final class ReferenceClock {
  /// Below this nothing is moved, in nanoseconds.
  private static let tolerance: Int64 = 20_000
  private static let capacity = 128

  /// Host time minus reference time, as of now; nil before the output runs.
  private(set) var distance: Int64?
  /// Nanoseconds between the rendering of a frame and its sound.
  private(set) var latency: Int64
  /// The output's clock as it was seen last.
  private(set) var clock: SampleClock?

  private let output: any OutputUnit
  private let rate: SampleRate
  /// What the output holds itself, in nanoseconds.
  private let buffered: Int64
  private var stretches: ContiguousArray<Stretch> = []
  private var reached = HostTime(nanoseconds: .min)

  /// From an instant on, how much later in host time it is heard.
  private struct Stretch {
    var start: HostTime
    var distance: Int64
  }

  init(_ output: any OutputUnit, _ rate: SampleRate) {
    self.output = output
    self.rate = rate
    buffered = rate.hostTimeRoundedUp(of: SampleTime(frames: Int64(output.latency))).nanoseconds
    latency = buffered
    stretches.reserveCapacity(Self.capacity)
  }

  /// Looks at the output, and returns the position up to which it has rendered.
  func look() -> HostTime {
    // The clock first: the position is then no earlier than it.
    if let clock = output.clock { self.clock = clock }
    let frame = output.position
    let position = rate.hostTimeRoundedUp(of: frame)
    guard let clock else { return position }
    let leaving = clock.timeline.hostTimeRoundedUp(atCount: frame.frames)
    let seen = leaving.nanoseconds - buffered - position.nanoseconds
    let heard = seen + buffered + clock.delay
    if abs(heard - (stretches.last?.distance ?? .min / 2)) > Self.tolerance {
      distance = seen
      latency = buffered + clock.delay
      adopt(heard, position)
    }
    return position
  }

  private func adopt(_ distance: Int64, _ position: HostTime) {
    if stretches.count == Self.capacity { stretches.removeFirst(Self.capacity / 2) }
    stretches.append(Stretch(start: max(reached, position), distance: distance))
  }

  /// The host time at which an instant is heard; the same for the same instant, whenever it is
  /// asked.
  func heardTime(of time: HostTime) -> HostTime {
    reached = max(reached, time)
    let stretch = stretches.last { $0.start <= time } ?? stretches.first
    return time.advanced(saturating: stretch?.distance ?? latency)
  }

  /// The reference time at a host time.
  func referenceTime(of host: HostTime) -> HostTime {
    host.advanced(saturating: -(distance ?? 0))
  }
}

/// A port beside an output unit: it is given reference times and wants host times.
final class ReferencePort: EventSink {
  private let sink: any EventSink
  private let reference: ReferenceClock
  private var converted: ContiguousArray<TimedEvent> = []

  init(_ sink: any EventSink, _ reference: ReferenceClock) {
    self.sink = sink
    self.reference = reference
    converted.reserveCapacity(1024)
  }

  var ordersByTime: Bool { sink.ordersByTime }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    converted.removeAll(keepingCapacity: true)
    for index in events.indices {
      var event = events[index]
      event.time = reference.heardTime(of: event.time)
      converted.append(event)
    }
    return try Self.send(converted, payloads: payloads, to: sink)
  }

  private static func send(
    _ events: borrowing ContiguousArray<TimedEvent>, payloads: Span<UInt8>,
    to sink: any EventSink
  ) throws -> Int {
    try sink.send(events.span, payloads: payloads)
  }

  func cancel(from time: HostTime) {
    sink.cancel(from: reference.heardTime(of: time))
  }
}
