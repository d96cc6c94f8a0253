// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// Receives packets in order, and repairs the effects of lost packets.
package struct JournalReceiver: Sendable {
  /// The result of a packet.
  package struct Outcome: Sendable {
    /// The commands that repair a loss, to be played at once before `commands`.
    ///
    /// At most `mostMended` messages, plus releases of sounding notes and the content of the system
    /// part, whatever the journal states.
    package var mending: [PacketCommand.Content]
    /// The commands of the packet, without pieces of a SysEx whose beginning was lost.
    package var commands: [PacketCommand]
  }

  /// The most channel messages that one journal can cause, not counting releases of sounding notes.
  package static let mostMended = ChannelHistory.mostMended

  private var last: UInt64?
  private var channels = [ChannelHistory](repeating: ChannelHistory(), count: 16)
  private var system = SystemHistory()
  /// The number of packets that were lost or arrived too late.
  package private(set) var lostCount = 0

  /// Creates a receiver.
  package init() {}

  /// The number of the last received packet; nil before the first.
  package var lastSequence: UInt16? { last.map { UInt16(truncatingIfNeeded: $0) } }

  /// Receives a packet.
  ///
  /// - Returns: The commands to play; nil for a packet that arrived twice, or after a later one.
  package mutating func receive(_ packet: DataPacket) -> Outcome? {
    var number = 65_536 + UInt64(packet.sequence)
    var outcome = Outcome(mending: [], commands: [])
    var hasGap = packet.journal != nil
    let before = last ?? 0
    if let last {
      let ahead = packet.sequence &- UInt16(truncatingIfNeeded: last)
      guard ahead > 0, ahead < 32_768 else { return nil }
      number = last + UInt64(ahead)
      hasGap = ahead > 1
      lostCount += Int(ahead) - 1
    }
    last = number
    if hasGap { outcome.mending = mend(packet, number: number, before: before) }
    var leftOut: UInt32 = 0
    for var command in packet.commands {
      if isPlayable(command.content) {
        command.delay &+= leftOut
        leftOut = 0
        outcome.commands.append(command)
      } else {
        leftOut &+= command.delay
      }
      record(command.content, at: number, time: packet.time)
    }
    return outcome
  }

  /// Ends everything that sounds, at the end of a session.
  package mutating func endAll() -> [Message] {
    let number = (last ?? 0) + 1
    return channels.indices.flatMap {
      channels[$0].endAll(channel: UInt8($0), in: number, time: 0)
    }
  }

  private func isPlayable(_ content: PacketCommand.Content) -> Bool {
    // If no SysEx is open, nothing can continue it.
    switch content {
    case .sysEx(_, false, _), .cancelledSysEx: system.hasOpenSysEx
    default: true
    }
  }

  private mutating func record(_ content: PacketCommand.Content, at number: UInt64, time: UInt32) {
    var resets = false
    switch content {
    case .message(let message) where message.status < 0xF0:
      channels[Int(message.status & 0x0F)].record(message, at: number, time: time)
    case .message(let message): resets = system.record(message, at: number)
    case .sysEx(let inside, let opens, let closes):
      resets = system.record(inside, opens: opens, closes: closes, at: number)
    case .cancelledSysEx: system.cancelSysEx()
    }
    guard resets else { return }
    for index in channels.indices { channels[index].forget(at: number) }
  }

  private mutating func mend(
    _ packet: DataPacket, number: UInt64, before: UInt64
  ) -> [PacketCommand.Content] {
    var mending: [PacketCommand.Content] = []
    if system.hasOpenSysEx {
      mending.append(.cancelledSysEx)
      system.cancelSysEx()
    }
    guard let journal = readJournal(of: packet) else {
      // The loss is unknown: silence is better than a hanging note.
      return mending + endAll().map { .message($0) }
    }
    let checkpoint = number - UInt64(packet.sequence &- journal.checkpoint)
    if let told = journal.system {
      for content in system.mending(by: told) {
        mending.append(content)
        record(content, at: number - 1, time: packet.time)
      }
      system.agree(with: told)
    }
    let before = (channels: channels, packet: before)
    var (room, messages) = (ChannelHistory.mostMended, [Message]())
    for index in channels.indices {
      let told =
        journal.channels.last { Int($0.channel) == index }
        ?? ChannelJournal(channel: UInt8(index))
      let mended = channels[index].mend(
        by: told, since: checkpoint, lastBefore: before.packet, in: number, time: packet.time,
        room: &room)
      guard let mended else {
        // The journal is larger than any real one: treat it like a damaged one.
        channels = before.channels
        return mending + endAll().map { .message($0) }
      }
      messages += mended
    }
    return mending + messages.map { .message($0) }
  }

  private func readJournal(of packet: DataPacket) -> Journal? {
    guard let octets = packet.journal else { return nil }
    do throws(PacketError) {
      return try Journal(parsing: octets)
    } catch {
      return nil
    }
  }
}
