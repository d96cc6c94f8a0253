// SPDX-License-Identifier: Apache-2.0
package import MusicalTime
package import NetworkSockets

/// Limits the bytes sent back over a network, so that a forged sender address cannot turn the
/// player into an amplifier.
///
/// An address on this machine gets every answer. Another address gets at most as many bytes as
/// came from it, until it repeats a number that was sent to it: then it does receive what is sent
/// there, and gets every answer for ten minutes.
///
/// - Note: A value; at most 64 addresses are remembered, the oldest is forgotten first.
package struct OSCReturnPaths {
  /// The most addresses remembered.
  static let mostSenders = 64
  /// The most bytes of credit that an address can collect.
  static let mostCredit = OSCInbox.longest
  /// How long a confirmation is valid.
  static let validity = Duration.seconds(600)

  private struct Path {
    /// Bytes that came from the address, less those sent to it.
    var credit = 0
    /// The number that shows that an address receives what is sent to it.
    var number: Int32
    /// Until when every answer is sent; nil if the address is not confirmed.
    var confirmedUntil: HostTime?
  }

  /// The paths by sender, and the senders, oldest first.
  private var paths: [SocketAddress: Path] = [:]
  private var order: [SocketAddress] = []

  /// The reply that a sender may get.
  package enum Verdict: Hashable {
    /// The answer.
    case answer
    /// This number instead, in a message that the sender must repeat.
    case challenge(Int32)
    /// Nothing.
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

  /// Receives the number that a sender repeats; another number than the one sent to it is ignored.
  package mutating func confirm(_ number: Int32, from sender: SocketAddress, at now: HostTime) {
    guard paths[sender]?.number == number else { return }
    paths[sender]?.confirmedUntil = now + Self.validity
  }

  /// Decides about an answer, and counts what is sent.
  ///
  /// - Parameters:
  ///   - byteCount: the size of the answer.
  ///   - challengeByteCount: the size of the message with a number.
  ///   - sender: the address that asked.
  ///   - now: the time.
  /// - Returns: what to send.
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
