// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The packets that are sent to one peer.
struct OutgoingStream: Sendable {
  /// The time without commands after which an empty packet is sent, in nanoseconds: at first, and
  /// at most.
  private static let firstGuard: Int64 = 50_000_000
  private static let longestGuard: Int64 = 2_000_000_000
  /// The number of empty packets for a peer that never acknowledges.
  private static let unheardGuards = 8

  private var sender: JournalSender
  private var guards = 0
  private var isAcknowledging = false
  private(set) var count = 0
  private(set) var nextGuard = HostTime(nanoseconds: .max)

  init(sequence: UInt16) { sender = JournalSender(sequence: sequence) }

  /// A packet of commands; nil if they do not fit, which callers avoid.
  mutating func packet(
    _ commands: [PacketCommand], units: UInt64, source: UInt32, at now: HostTime
  ) -> [UInt8]? {
    (guards, nextGuard) = (0, now.advanced(saturating: Self.firstGuard))
    return encoded(commands, units: units, source: source)
  }

  /// A packet without new commands, which reveals the loss of the last packet.
  ///
  /// It contains state for which a journal did not have room.
  mutating func guarding(units: UInt64, source: UInt32, at now: HostTime) -> [UInt8]? {
    guards += 1
    let pause = min(Self.firstGuard << Int64(min(guards, 8)), Self.longestGuard)
    nextGuard = HostTime(nanoseconds: .max)
    guard sender.hasHistory else { return nil }
    if isAcknowledging || guards < Self.unheardGuards {
      nextGuard = now.advanced(saturating: pause)
    }
    let rest = sender.restatement().map { PacketCommand(.message($0)) }
    return encoded(rest, units: units, source: source)
  }

  /// Sends an empty packet at once, because the peer was silent and may have missed something.
  mutating func remind(at now: HostTime) {
    if sender.hasHistory { (guards, nextGuard) = (0, now) }
  }

  mutating func acknowledge(_ sequence: UInt16) {
    isAcknowledging = true
    sender.acknowledge(sequence)
    if !sender.hasHistory { nextGuard = HostTime(nanoseconds: .max) }
  }

  private mutating func encoded(
    _ commands: [PacketCommand], units: UInt64, source: UInt32
  ) -> [UInt8]? {
    count += 1
    let packet = sender.packet(commands, time: UInt32(truncatingIfNeeded: units), source: source)
    do throws(PacketError) {
      return try packet.encoded()
    } catch {
      return nil
    }
  }
}
