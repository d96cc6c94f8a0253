// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// Where an output's reference time lies on the host's clock.
///
/// A position is read some time after it was reached, up to a period: of the distances seen in
/// the last two seconds the least is the truest. It is forgotten by and by, since the two clocks
/// part by some parts in a million. An instant keeps the host time it was once given: a new
/// distance holds for what lies beyond.
///
/// - Note: owned by the event thread.
struct ReferenceClock {
  private static let span: Int64 = 250_000_000
  private static let tolerance: Int64 = 20_000

  private var minima = ContiguousArray(repeating: Int64.max, count: 8)
  private var current = 0
  private var begun = Int64.min
  private var stretches: ContiguousArray<Stretch> = []
  private var reached = HostTime(nanoseconds: .min)

  private struct Stretch {
    var start: HostTime
    var distance: Int64
  }

  init() {
    stretches.reserveCapacity(64)
  }

  /// Host time minus reference time, as of now.
  var distance: Int64 { knownDistance ?? 0 }

  /// The same; nil before the first look.
  var knownDistance: Int64? { stretches.last?.distance }

  /// Takes a look: the position, and the host's time just after it was read.
  mutating func look(position: HostTime, host: HostTime) {
    let seen = host.nanoseconds - position.nanoseconds
    if begun == .min || host.nanoseconds - begun > 8 * Self.span
      || distance != 0 && seen - distance > 100_000_000
    {
      for index in minima.indices { minima[index] = .max }
      begun = host.nanoseconds
    } else if host.nanoseconds - begun >= Self.span {
      current = (current + 1) % minima.count
      minima[current] = .max
      begun = host.nanoseconds
    }
    minima[current] = min(minima[current], seen)
    guard let least = minima.min() else { return }
    if stretches.isEmpty || abs(least - distance) > Self.tolerance { adopt(least, position) }
  }

  private mutating func adopt(_ distance: Int64, _ position: HostTime) {
    if stretches.count > 32 { stretches.removeFirst(16) }
    stretches.append(Stretch(start: max(reached, position), distance: distance))
  }

  /// The host time of an instant; the same for the same instant, whenever it is asked.
  mutating func hostTime(of time: HostTime) -> HostTime {
    reached = max(reached, time)
    let stretch = stretches.last { $0.start <= time } ?? stretches.first
    return time.advanced(saturating: stretch?.distance ?? 0)
  }

  /// The reference time at a host time.
  func referenceTime(of host: HostTime) -> HostTime {
    host.advanced(saturating: -distance)
  }
}

/// A port beside an output unit: it is given reference times and wants host times.
final class ReferencePort: EventSink {
  private let sink: any EventSink
  private let reference: ReferenceClockBox
  private var converted: ContiguousArray<TimedEvent> = []

  init(_ sink: any EventSink, _ reference: ReferenceClockBox) {
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

/// The reference clock that the ports of an output share, and how long after it sound is heard.
///
/// - Note: owned by the event thread.
final class ReferenceClockBox {
  var clock = ReferenceClock()
  /// Nanoseconds between the rendering of a frame and its sound.
  let latency: Int64

  init(latency: Int64) {
    self.latency = latency
  }

  func heardTime(of time: HostTime) -> HostTime {
    clock.hostTime(of: time).advanced(saturating: latency)
  }
}
