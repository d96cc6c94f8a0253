// SPDX-License-Identifier: Apache-2.0

/// A ping for the time of a peer's session, or its answer.
package struct MeasurementMessage: Hashable, BitwiseCopyable, Sendable {
  /// The type of a datagram.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A request for the session's time.
    case ping = 1
    /// The answer, followed by the entries of the request.
    case pong = 2
  }

  /// The maximum size of the entries in a ping that is answered, in bytes.
  package static let longestPing = 32
  static let magic: [UInt8] = [0x5f, 0x6c, 0x69, 0x6e, 0x6b, 0x5f, 0x76, 0x01]
  static let headSize = 9

  /// The type of the message.
  package var kind: Kind
  /// The session of the peer that answers.
  package var session: LinkID?
  /// The session's time of the answer, in microseconds.
  package var ghostTime: Int64?
  /// The time of the request, in microseconds of the requesting peer's clock.
  package var hostTime: Int64?
  /// The session's time in the previous answer, in microseconds.
  package var previousGhostTime: Int64?

  /// Creates a ping.
  package init(pingAt hostTime: Int64, previousGhostTime: Int64? = nil) {
    kind = .ping
    (self.hostTime, self.previousGhostTime) = (hostTime, previousGhostTime)
  }

  /// Reads a datagram.
  ///
  /// - Parameter bytes: The datagram.
  /// - Throws: `LinkError` if it is not a measurement datagram, or damaged.
  package init(reading bytes: Span<UInt8>) throws(LinkError) {
    kind = try Self.kind(of: bytes)
    var message = self
    let entries = bytes.extracting(Self.headSize..<bytes.count)
    try LinkEntries.forEach(in: entries) { (key, value) throws(LinkError) in
      switch key {
      case LinkEntries.Key.session:
        try LinkEntries.check(value, is: 8, for: key)
        message.session = LinkID(bits: value.number(at: 0, size: 8))
      case LinkEntries.Key.ghostTime:
        try LinkEntries.check(value, is: 8, for: key)
        message.ghostTime = value.signed(at: 0)
      case LinkEntries.Key.hostTime:
        try LinkEntries.check(value, is: 8, for: key)
        message.hostTime = value.signed(at: 0)
      case LinkEntries.Key.previousGhostTime:
        try LinkEntries.check(value, is: 8, for: key)
        message.previousGhostTime = value.signed(at: 0)
      default: break
      }
    }
    self = message
  }

  /// Returns the type of a datagram without reading its entries.
  ///
  /// - Parameter bytes: The datagram.
  /// - Returns: The type.
  /// - Throws: `LinkError.foreign`, `LinkError.unknownKind`.
  package static func kind(of bytes: Span<UInt8>) throws(LinkError) -> Kind {
    guard bytes.count >= headSize, bytes.begins(with: magic) else { throw .foreign }
    guard let kind = Kind(rawValue: bytes[8]) else { throw .unknownKind(bytes[8]) }
    return kind
  }

  /// Returns the answer to a ping, with the entries of the ping unchanged.
  ///
  /// - Parameters:
  ///   - ping: The datagram of the ping.
  ///   - session: The session of the peer that answers.
  ///   - ghostTime: The session's time, in microseconds.
  /// - Returns: The datagram; nil if the ping has more than `longestPing` bytes of entries.
  package static func pong(
    to ping: Span<UInt8>, session: LinkID, ghostTime: Int64
  ) -> [UInt8]? {
    guard ping.count - headSize <= longestPing else { return nil }
    var bytes = magic + [Kind.pong.rawValue]
    bytes.append(entry: LinkEntries.Key.session, size: 8)
    bytes.append(number: session.bits)
    bytes.append(entry: LinkEntries.Key.ghostTime, size: 8)
    bytes.append(number: ghostTime)
    for index in headSize..<ping.count { bytes.append(ping[index]) }
    return bytes
  }

  /// The bytes of the datagram: in an answer its own entries first, then those of the ping.
  package var datagram: [UInt8] {
    var bytes = Self.magic + [kind.rawValue]
    func add(_ key: UInt32, _ value: UInt64?) {
      guard let value else { return }
      bytes.append(entry: key, size: 8)
      bytes.append(number: value)
    }
    add(LinkEntries.Key.session, session?.bits)
    add(LinkEntries.Key.ghostTime, ghostTime.map { UInt64(bitPattern: $0) })
    add(LinkEntries.Key.hostTime, hostTime.map { UInt64(bitPattern: $0) })
    add(LinkEntries.Key.previousGhostTime, previousGhostTime.map { UInt64(bitPattern: $0) })
    return bytes
  }
}
