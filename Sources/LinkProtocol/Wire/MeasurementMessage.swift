// SPDX-License-Identifier: Apache-2.0

/// A question for another peer's clock, or its answer.
package struct MeasurementMessage: Hashable, BitwiseCopyable, Sendable {
  /// What a datagram is for.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// What time is it in your session?
    case ping = 1
    /// The answer, with the question's entries after its own.
    case pong = 2
  }

  /// How many bytes of entries a question that is answered may have.
  package static let longestPing = 32
  static let magic: [UInt8] = [0x5f, 0x6c, 0x69, 0x6e, 0x6b, 0x5f, 0x76, 0x01]
  static let headSize = 9

  /// What it is for.
  package var kind: Kind
  /// The session of who answers.
  package var session: LinkID?
  /// The session's time when it was answered, in microseconds.
  package var ghostTime: Int64?
  /// The time of who asks, in microseconds of its own clock, when it was asked.
  package var hostTime: Int64?
  /// The session's time in the answer before, in microseconds.
  package var previousGhostTime: Int64?

  /// Creates a question.
  package init(pingAt hostTime: Int64, previousGhostTime: Int64? = nil) {
    kind = .ping
    (self.hostTime, self.previousGhostTime) = (hostTime, previousGhostTime)
  }

  /// Reads a datagram.
  ///
  /// - Parameter bytes: All of it.
  /// - Throws: `LinkError` where it is none of measurement, or damaged.
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

  /// What a datagram is for, whatever its entries are.
  ///
  /// - Parameter bytes: All of it.
  /// - Returns: Whether it asks or answers.
  /// - Throws: `LinkError.foreign`, `LinkError.unknownKind`.
  package static func kind(of bytes: Span<UInt8>) throws(LinkError) -> Kind {
    guard bytes.count >= headSize, bytes.begins(with: magic) else { throw .foreign }
    guard let kind = Kind(rawValue: bytes[8]) else { throw .unknownKind(bytes[8]) }
    return kind
  }

  /// The answer to a question, its entries given back as they are.
  ///
  /// - Parameters:
  ///   - ping: The question's datagram.
  ///   - session: The session of who answers.
  ///   - ghostTime: The session's time, in microseconds.
  /// - Returns: The datagram; nil where the question has more entries than are answered.
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

  /// The bytes of a datagram: an answer's own entries first, then those of the question.
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
