// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A destination that keeps what it is sent.
public typealias RecordingSink = EventRecorder<ReferenceTime>

/// A port that keeps what it is sent.
public typealias RecordingPort = EventRecorder<HostTime>

/// A sink that keeps what it is sent, with room for only so much at a time.
public final class EventRecorder<Time: Instant>: EventSink {
  /// What was taken, in order.
  public private(set) var events: [StampedEvent<Time>] = []
  private var bytes: [(time: Time, bytes: [UInt8])] = []
  /// The bytes of SysEx messages as a cable would carry them, whole or in parts, with their times.
  public private(set) var sysExWire: [(time: Time, bytes: [UInt8])] = []
  /// Whether SysEx messages come in the parts in which they are to leave.
  public var takesSysExParts = false
  /// The instants from which events were cancelled.
  public private(set) var cancelled: [Time] = []
  /// What is due before is heard, whoever takes it back; nil where nothing is.
  public var taken: Time?
  /// Whether it holds events back past their times.
  public var isHoldingBack = false
  /// How often it was offered something, or nothing.
  public private(set) var offerCount = 0
  /// The most that one call takes.
  public var room: Int

  /// Creates an empty sink.
  public init(room: Int = .max) {
    self.room = room
  }

  /// Takes as many as there is room for.
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

  /// Forgets what is due from an instant on, and notes the instant.
  public func cancel(from time: Time) {
    cancelled.append(time)
    events.removeAll { $0.time >= time }
    bytes.removeAll { $0.time >= time }
    sysExWire.removeAll { $0.time >= time }
  }

  /// Forgets what is due from an instant on and not heard, and says from when on it has.
  public func takeBack(from time: Time) -> Time {
    let first = max(time, taken ?? time)
    cancel(from: first)
    return first
  }

  /// The SysEx messages taken, in order.
  public var sysExes: [[UInt8]] { bytes.map(\.bytes) }

  /// The messages taken, in order.
  public var messages: [Message] {
    events.compactMap {
      guard case .message(let message) = $0.payload else { return nil }
      return message
    }
  }
}
