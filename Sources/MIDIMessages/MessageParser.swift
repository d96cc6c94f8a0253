// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Parses MIDI bytes into timed events.
///
/// Running status is supported. Real-time bytes can occur anywhere, even inside a SysEx. A SysEx
/// ends at F7 or at any other status byte that is not real-time. Bytes that do not belong to a
/// message, and undefined status bytes, are counted and skipped.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, Data Format.
public struct MessageParser: Sendable {
  /// The longest accepted SysEx, in bytes without F0 and F7.
  public let sysExLimit: Int
  /// The number of bytes that were skipped because they did not belong to a message.
  public private(set) var strayBytes = 0
  /// The number of SysEx messages that were dropped because they were longer than `sysExLimit`.
  public private(set) var oversized = 0

  private var status: UInt8 = 0
  private var first: UInt8?
  private var sysEx: ContiguousArray<UInt8> = []
  private var isInSysEx = false
  private var isOversized = false

  /// Creates a parser, which by default accepts SysEx of up to 1 MiB.
  public init(sysExLimit: Int = 1 << 20) {
    self.sysExLimit = sysExLimit
  }

  /// Parses bytes that arrived at the same time, and appends the events that are complete.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public mutating func parse(
    _ bytes: Span<UInt8>, time: HostTime, track: UInt16 = 0, into buffer: inout HostEventBuffer
  ) {
    for index in bytes.indices {
      parse(bytes[index], time: time, track: track, into: &buffer)
    }
  }

  /// Parses one byte, and appends an event if the byte completes one.
  public mutating func parse(
    _ byte: UInt8, time: HostTime, track: UInt16 = 0, into buffer: inout HostEventBuffer
  ) {
    switch byte {
    case 0xF8...0xFF:
      takeRealTime(byte, time: time, track: track, into: &buffer)
    case 0x80...0xF7:
      endSysEx(time: time, track: track, into: &buffer)
      takeStatus(byte, time: time, track: track, into: &buffer)
    default:
      takeDatum(byte, time: time, track: track, into: &buffer)
    }
  }

  /// Discards an incomplete message and the running status.
  public mutating func reset() {
    status = 0
    first = nil
    isInSysEx = false
    isOversized = false
    sysEx.removeAll(keepingCapacity: true)
  }

  private mutating func takeRealTime(
    _ byte: UInt8, time: HostTime, track: UInt16, into buffer: inout HostEventBuffer
  ) {
    // F9 and FD are undefined.
    guard byte != 0xF9, byte != 0xFD else { return strayBytes += 1 }
    append(Message(status: byte), time: time, track: track, to: &buffer)
  }

  private mutating func takeStatus(
    _ byte: UInt8, time: HostTime, track: UInt16, into buffer: inout HostEventBuffer
  ) {
    if first != nil { strayBytes += 1 }
    first = nil
    status = byte
    switch byte {
    case 0xF0:
      isInSysEx = true
      status = 0
    case 0xF6:
      append(Message(status: byte), time: time, track: track, to: &buffer)
      status = 0
    case 0xF4, 0xF5:
      strayBytes += 1
      status = 0
    case 0xF7:
      // The end of a SysEx, processed above; otherwise ignored.
      status = 0
    default:
      break
    }
  }

  private mutating func takeDatum(
    _ byte: UInt8, time: HostTime, track: UInt16, into buffer: inout HostEventBuffer
  ) {
    guard !isInSysEx else { return keepInSysEx(byte) }
    guard status != 0 else { return strayBytes += 1 }
    let isLong = Message(status: status).length == 3
    if isLong && first == nil {
      first = byte
      return
    }
    let message = Message(
      status: status, data1: first ?? byte, data2: first == nil ? 0 : byte)
    append(message, time: time, track: track, to: &buffer)
    first = nil
    // Only channel messages have running status.
    if status >= 0xF0 { status = 0 }
  }

  private mutating func keepInSysEx(_ byte: UInt8) {
    if sysEx.count < sysExLimit {
      sysEx.append(byte)
    } else {
      isOversized = true
    }
  }

  private mutating func endSysEx(
    time: HostTime, track: UInt16, into buffer: inout HostEventBuffer
  ) {
    guard isInSysEx else { return }
    if isOversized {
      oversized += 1
    } else {
      buffer.append(sysEx: sysEx.span, time: time, track: track, generation: 0)
    }
    isInSysEx = false
    isOversized = false
    sysEx.removeAll(keepingCapacity: true)
  }

  private func append(
    _ message: Message, time: HostTime, track: UInt16, to buffer: inout HostEventBuffer
  ) {
    buffer.append(HostEvent(time: time, payload: .message(message), track: track))
  }
}
