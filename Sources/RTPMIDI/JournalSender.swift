// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// Creates packets of commands, each with a journal of packets that are not acknowledged.
package struct JournalSender: Sendable {
  /// The most bytes of a datagram, so that it is not fragmented.
  package static let room = 1_400

  private let first: UInt64
  // Continues to count when packet numbers wrap around.
  private var next: UInt64
  private var acknowledged: UInt64?
  private var channels = [ChannelHistory](repeating: ChannelHistory(), count: 16)
  private var system = SystemHistory()
  private var owed: UInt16 = 0
  /// The number of journals that did not have room for everything.
  package private(set) var cutCount = 0

  /// Creates a sender.
  ///
  /// - Parameter sequence: The number of the first packet, chosen at random.
  package init(sequence: UInt16) {
    first = 65_536 + UInt64(sequence)
    next = first
  }

  /// The number of the next packet.
  package var sequence: UInt16 { UInt16(truncatingIfNeeded: next) }

  /// True if there are changes that the receiver has not acknowledged.
  package var hasHistory: Bool {
    let since = acknowledged.map { $0 + 1 } ?? first
    return system.lastChange >= since || channels.contains { $0.lastChange >= since }
  }

  /// Records that the receiver has all packets up to a number.
  ///
  /// Numbers that were not sent yet are ignored.
  package mutating func acknowledge(_ sequence: UInt16) {
    guard next > first else { return }
    let behind = UInt64(UInt16(truncatingIfNeeded: next - 1) &- sequence)
    guard behind < 32_768, next - 1 - behind >= first else { return }
    acknowledged = max(acknowledged ?? 0, next - 1 - behind)
  }

  /// Creates the next packet.
  ///
  /// - Parameters:
  ///   - commands: The commands; empty for a packet that reveals losses.
  ///   - time: The start of the packet, in units of 100 µs.
  ///   - source: The identifier of the sender.
  /// - Returns: The packet, with a journal unless it is the first.
  package mutating func packet(
    _ commands: [PacketCommand], time: UInt32, source: UInt32
  ) -> DataPacket {
    var packet = DataPacket(
      sequence: sequence, time: time, source: source, commands: commands)
    if next > first {
      // A command takes at most eight bytes including its delay, and a SysEx the length of its
      // content.
      let list = commands.reduce(0) { sum, command in
        if case .sysEx(let inside, _, _) = command.content {
          sum + inside.count + 6
        } else {
          sum + 7
        }
      }
      packet.journal = journal(time: time, room: Self.room - 16 - list).encoded
    }
    for command in commands { record(command.content, time: time) }
    next += 1
    return packet
  }

  /// The state of a channel for which a journal did not have room, to be sent again; without
  /// note-ons.
  package mutating func restatement() -> [Message] {
    guard owed != 0 else { return [] }
    let index = owed.trailingZeroBitCount
    owed &= owed - 1
    let told = channels[index].journal(
      of: UInt8(index), since: acknowledged ?? first, last: next - 1, time: 0)
    var fresh = ChannelHistory()
    var ends: [Message] = []
    for key in 0..<128 as Range<UInt8>
    where (told.notes?.released ?? 0) >> UInt128(key) & 1 != 0 {
      ends.append(Message(status: 0x80 | UInt8(index), data1: key, data2: 64))
    }
    // The local history limits it.
    var room = Int.max
    let rest = fresh.mend(by: told, since: 0, lastBefore: 0, in: 1, time: 0, room: &room) ?? []
    return ends
      + rest.filter {
        !(0x90...0x9F).contains($0.status)
          && !((0xB0...0xBF).contains($0.status) && ChannelHistory.isCounted($0.data1)
            && $0.data1 != 121)
      }
  }

  private mutating func record(_ content: PacketCommand.Content, time: UInt32) {
    var resets = false
    switch content {
    case .message(let message) where message.status < 0xF0:
      channels[Int(message.status & 0x0F)].record(message, at: next, time: time)
    case .message(let message): resets = system.record(message, at: next)
    case .sysEx(let inside, let opens, let closes):
      resets = system.record(inside, opens: opens, closes: closes, at: next)
    case .cancelledSysEx: system.cancelSysEx()
    }
    guard resets else { return }
    for index in channels.indices { channels[index].forget(at: next) }
  }

  private mutating func journal(time: UInt32, room: Int) -> Journal {
    let since = acknowledged ?? first
    var journal = Journal(checkpoint: UInt16(truncatingIfNeeded: since))
    var left = room - 3
    if system.lastChange >= since {
      let told = system.journal(since: since, last: next - 1)
      let size = told.encoded.count
      if !told.isEmpty, size <= left {
        journal.system = told
        left -= size
      }
    }
    // Channels with the latest changes first, because they have most to lose.
    let changed = channels.indices.filter { channels[$0].lastChange >= since }
      .sorted { channels[$0].lastChange > channels[$1].lastChange }
    for index in changed {
      var told = channels[index].journal(
        of: UInt8(index), since: since, last: next - 1, time: time)
      guard !told.isEmpty else { continue }
      if told.encoded.count > min(left, ChannelJournal.longest) {
        owed |= 1 << UInt16(index)
        cutCount += 1
        (told.keyPressures, told.extras, told.parameters, told.controls) = ([], [], nil, [])
        guard told.encoded.count <= left, !told.isEmpty else { continue }
      }
      left -= told.encoded.count
      journal.channels.append(told)
    }
    journal.channels.sort { $0.channel < $1.channel }
    return journal
  }
}
