// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The packets that go to one partner.
struct OutgoingStream: Sendable {
  /// After how long without music an empty packet says what was sent, at first and at last, in
  /// nanoseconds.
  private static let firstGuard: Int64 = 50_000_000
  private static let longestGuard: Int64 = 2_000_000_000
  /// How many such packets there are for one who never says what came.
  private static let unheardGuards = 8

  private var sender: JournalSender
  private var guards = 0
  private var isAcknowledging = false
  private(set) var count = 0
  private(set) var nextGuard = HostTime(nanoseconds: .max)

  init(sequence: UInt16) { sender = JournalSender(sequence: sequence) }

  /// A packet of music; nil where it does not fit one, which no caller asks for.
  mutating func packet(
    _ commands: [PacketCommand], units: UInt64, source: UInt32, at now: HostTime
  ) -> [UInt8]? {
    (guards, nextGuard) = (0, now.advanced(saturating: Self.firstGuard))
    return encoded(commands, units: units, source: source)
  }

  /// A packet without music, so that a loss of the last is seen, and with what no journal had room
  /// for.
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

  /// They are back: what they may have missed is said again at once.
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
