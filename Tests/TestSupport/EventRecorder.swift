// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A destination that records its events.
public typealias RecordingSink = EventRecorder<ReferenceTime>

/// A port that records its events.
public typealias RecordingPort = EventRecorder<HostTime>

/// A sink that records its events, with a limited number per call.
public final class EventRecorder<Time: Instant>: EventSink {
  /// The accepted events, in order.
  public private(set) var events: [StampedEvent<Time>] = []
  private var bytes: [(time: Time, bytes: [UInt8])] = []
  /// The bytes of SysEx messages as they would be sent, complete or in parts, with their times.
  public private(set) var sysExWire: [(time: Time, bytes: [UInt8])] = []
  /// True to accept SysEx messages in the parts in which they should be sent.
  public var takesSysExParts = false
  /// The instants from which events were cancelled.
  public private(set) var cancelled: [Time] = []
  /// The time before which events cannot be taken back; nil if all can.
  public var taken: Time?
  /// True to hold events after their times.
  public var isHoldingBack = false
  /// The number of calls, including those without events.
  public private(set) var offerCount = 0
  /// The maximum number of events per call.
  public var room: Int

  /// Creates an empty sink.
  public init(room: Int = .max) {
    self.room = room
  }

  /// Accepts as many events as there is room for.
  public func send(_ offered: Span<StampedEvent<Time>>, payloads: Span<UInt8>) throws -> Int {
    offerCount += 1
    let count = min(room, offered.count)
    for index in 0..<count {
      events.append(offered[index])
      guard let place = offered[index].payload.bytes else { continue }
      keep(offered[index], (place.offset..<place.offset + place.count).map { payloads[Int($0)] })
    }
    return count
  }

  private func keep(_ event: StampedEvent<Time>, _ inside: [UInt8]) {
    var part: SysExPart?
    if case .sysExPart(_, let named) = event.payload { part = named }
    if part == nil { bytes.append((event.time, inside)) }
    let start: [UInt8] = part == nil || part == .first ? [0xF0] : []
    let end: [UInt8] = part != .first && part != .middle ? [0xF7] : []
    sysExWire.append((event.time, start + inside + end))
  }

  /// Removes the events from an instant on, and records the instant.
  public func cancel(from time: Time) {
    cancelled.append(time)
    events.removeAll { $0.time >= time }
    bytes.removeAll { $0.time >= time }
    sysExWire.removeAll { $0.time >= time }
  }

  /// Removes the events from an instant on that can be taken back, and returns the first such
  /// instant.
  public func takeBack(from time: Time) -> Time {
    let first = max(time, taken ?? time)
    cancel(from: first)
    return first
  }

  /// The accepted SysEx messages, in order.
  public var sysExes: [[UInt8]] { bytes.map(\.bytes) }

  /// The accepted messages, in order.
  public var messages: [Message] {
    events.compactMap {
      guard case .message(let message) = $0.payload else { return nil }
      return message
    }
  }
}
