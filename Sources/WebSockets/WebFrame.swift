// SPDX-License-Identifier: Apache-2.0

/// A web socket frame.
///
/// Source: RFC 6455, section 5.
struct WebFrame: Hashable, Sendable {
  /// The type of a frame.
  enum Kind: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// True for control frames, which can occur between the parts of a message.
    var isControl: Bool { rawValue >= 8 }
  }

  /// The status code with which a connection is closed.
  enum Fault: UInt16, Error {
    case normal = 1000
    case goingAway = 1001
    case protocolError = 1002
    case unsupported = 1003
    case badText = 1007
    case policy = 1008
    case tooLarge = 1009
  }

  /// The longest frame from a client, and the longest message in several frames, in bytes.
  static let longest = 4096

  let kind: Kind
  let isLast: Bool
  let payload: [UInt8]

  /// Parses a client's frame at the beginning of the received bytes, and removes it.
  ///
  /// - Parameter bytes: The received bytes.
  /// - Returns: The frame; nil if it is not complete.
  /// - Throws: `Fault` for a frame that clients must not send.
  static func take(from bytes: inout [UInt8]) throws(Fault) -> WebFrame? {
    guard bytes.count >= 2 else { return nil }
    guard bytes[0] & 0x70 == 0, let kind = Kind(rawValue: bytes[0] & 0x0F), bytes[1] & 0x80 != 0
    else { throw .protocolError }
    let isLast = bytes[0] & 0x80 != 0
    var (length, place) = (Int(bytes[1] & 0x7F), 2)
    guard !kind.isControl || isLast && length < 126 else { throw .protocolError }
    if length == 127 { throw .tooLarge }
    if length == 126 {
      guard bytes.count >= 4 else { return nil }
      (length, place) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
      guard length >= 126 else { throw .protocolError }
    }
    guard length <= longest else { throw .tooLarge }
    guard bytes.count >= place + 4 + length else { return nil }
    let mask = bytes[place..<place + 4]
    let payload = (0..<length).map { bytes[place + 4 + $0] ^ mask[place + $0 % 4] }
    bytes.removeFirst(place + 4 + length)
    return WebFrame(kind: kind, isLast: isLast, payload: payload)
  }

  /// The bytes of a server's frame, which is unfragmented and unmasked.
  static func bytes(_ kind: Kind, _ payload: some Collection<UInt8>) -> [UInt8] {
    let count = payload.count
    var bytes = [0x80 | kind.rawValue]
    if count < 126 {
      bytes.append(UInt8(count))
    } else if count < 65_536 {
      bytes += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    } else {
      bytes.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    return bytes + payload
  }
}
