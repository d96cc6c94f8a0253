// SPDX-License-Identifier: Apache-2.0

/// Encodes messages as MIDI bytes.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, Data Format.
public struct MessageEncoder: Sendable {
  /// True if the status byte of a channel message is omitted when it equals the previous one
  /// (running status).
  public let usesRunningStatus: Bool
  private var running: UInt8 = 0

  /// Creates an encoder, by default without running status.
  public init(usesRunningStatus: Bool = false) {
    self.usesRunningStatus = usesRunningStatus
  }

  /// Appends the bytes of a message to an array.
  public mutating func encode(_ message: Message, into bytes: inout [UInt8]) {
    if needsStatus(message.status) { bytes.append(message.status) }
    if message.length > 1 { bytes.append(message.data1 & 0x7F) }
    if message.length > 2 { bytes.append(message.data2 & 0x7F) }
  }

  /// Appends a SysEx message (F0, its bytes, and F7) to an array.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public mutating func encode(sysEx payload: Span<UInt8>, into bytes: inout [UInt8]) {
    running = 0
    bytes.append(0xF0)
    for index in payload.indices { bytes.append(payload[index] & 0x7F) }
    bytes.append(0xF7)
  }

  private mutating func needsStatus(_ status: UInt8) -> Bool {
    // Real-time bytes do not change the running status; system common messages end it.
    if status >= 0xF8 { return true }
    if status >= 0xF0 {
      running = 0
      return true
    }
    if usesRunningStatus && status == running { return false }
    running = status
    return true
  }
}
