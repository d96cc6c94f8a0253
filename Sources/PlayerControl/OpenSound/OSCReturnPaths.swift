// SPDX-License-Identifier: Apache-2.0
package import MusicalTime
package import NetworkSockets

/// Limits the bytes sent back over a network, so that a forged sender address cannot misuse the
/// player as an amplifier.
///
/// An address on this machine gets every answer. Another address gets at most as many bytes as
/// arrived from it, until it repeats a number that was sent to it. This proves that it receives,
/// and it then gets every answer for ten minutes.
///
/// - Note: A value; at most 64 addresses are remembered, and the oldest is removed first.
package struct OSCReturnPaths {
  /// The maximum number of stored addresses.
  static let mostSenders = 64
  /// The maximum number of bytes of credit that an address can collect.
  static let mostCredit = OSCInbox.longest
  /// The duration for which a confirmation is valid.
  static let validity = Duration.seconds(600)

  private struct Path {
    /// The bytes received from the address, minus those sent to it.
    var credit = 0
    /// The number that the address must repeat.
    var number: Int32
    /// The end of the confirmation; nil if the address is not confirmed.
    var confirmedUntil: HostTime?
  }

  /// The paths by sender, and the senders, oldest first.
  private var paths: [SocketAddress: Path] = [:]
  private var order: [SocketAddress] = []

  /// The decision about an answer.
  package enum Verdict: Hashable {
    /// Send the answer.
    case answer
    /// Send this number instead, for the sender to repeat.
    case challenge(Int32)
    /// Send nothing.
    case nothing
  }

  /// Counts the bytes of a datagram.
  package mutating func receive(_ byteCount: Int, from sender: SocketAddress) {
    guard !sender.address.isLoopback else { return }
    if paths[sender] == nil {
      if order.count == Self.mostSenders { paths[order.removeFirst()] = nil }
      order.append(sender)
      paths[sender] = Path(number: .random(in: 1 ... .max))
    }
    let credit = paths[sender]?.credit ?? 0
    paths[sender]?.credit = min(Self.mostCredit, credit + byteCount)
  }

  /// Receives the number that a sender repeats; a wrong number is ignored.
  package mutating func confirm(_ number: Int32, from sender: SocketAddress, at now: HostTime) {
    guard paths[sender]?.number == number else { return }
    paths[sender]?.confirmedUntil = now + Self.validity
  }

  /// Decides about an answer, and subtracts the bytes to be sent.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the answer.
  ///   - challengeByteCount: The size of the message with a number.
  ///   - sender: The address that asked.
  ///   - now: The current time.
  /// - Returns: The message to send.
  package mutating func verdict(
    _ byteCount: Int, challengeByteCount: Int, to sender: SocketAddress, at now: HostTime
  ) -> Verdict {
    guard !sender.address.isLoopback else { return .answer }
    guard let path = paths[sender] else { return .nothing }
    if let end = path.confirmedUntil, now < end { return .answer }
    if path.confirmedUntil != nil {
      paths[sender]?.confirmedUntil = nil
      paths[sender]?.number = .random(in: 1 ... .max)
    }
    let size = path.credit >= byteCount ? byteCount : challengeByteCount
    guard path.credit >= size else { return .nothing }
    paths[sender]?.credit -= size
    return size == byteCount ? .answer : .challenge(paths[sender]?.number ?? path.number)
  }
}
