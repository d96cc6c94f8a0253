// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The list of commands of a packet, as octets.
///
/// Source: RFC 6295, section 3.
enum CommandList {
  /// Reads a list.
  static func commands(
    in octets: [UInt8], startsWithDelay: Bool
  ) throws(PacketError) -> [PacketCommand] {
    var (reader, commands) = (OctetReader(octets), [PacketCommand]())
    var (running, delay): (UInt8, UInt32) = (0, 0)
    while !reader.isAtEnd {
      // What was left out counts on: the next command is later by it too.
      if startsWithDelay || reader.place > 0 { delay &+= try takeDelay(&reader) }
      // The last command may be empty.
      guard let first = reader.next else { break }
      if let content = try takeContent(first, &running, &reader) {
        commands.append(PacketCommand(delay: delay, content))
        delay = 0
      }
    }
    return commands
  }

  /// Writes a list, with running status; whether the first command's delay stands there is
  /// said beside it.
  static func octets(
    _ commands: [PacketCommand]
  ) throws(PacketError) -> (octets: [UInt8], startsWithDelay: Bool) {
    let startsWithDelay = (commands.first?.delay ?? 0) > 0
    var (octets, running): ([UInt8], UInt8) = ([], 0)
    for (index, command) in commands.enumerated() {
      guard command.delay < 1 << 28 else { throw .delayTooLong }
      if index > 0 || startsWithDelay { append(command.delay, to: &octets) }
      switch command.content {
      case .message(let message): append(message, &running, to: &octets)
      case .sysEx(let inside, let opens, let closes):
        octets.append(opens ? 0xF0 : 0xF7)
        octets += inside.lazy.map { $0 & 0x7F }
        octets.append(closes ? 0xF7 : 0xF0)
        running = 0
      case .cancelledSysEx:
        octets += [0xF7, 0xF4]
        running = 0
      }
    }
    return (octets, startsWithDelay)
  }

  private static func takeDelay(_ reader: inout OctetReader) throws(PacketError) -> UInt32 {
    var delay: UInt32 = 0
    for count in 1...4 {
      let octet = try reader.take(UInt8.self)
      delay = delay << 7 | UInt32(octet & 0x7F)
      if octet < 0x80 { return delay }
      if count == 4 { break }
    }
    throw .badCommand(place: reader.place - 1)
  }

  private static func takeContent(
    _ first: UInt8, _ running: inout UInt8, _ reader: inout OctetReader
  ) throws(PacketError) -> PacketCommand.Content? {
    if first >= 0x80 { _ = try reader.take(UInt8.self) }
    var status = first
    switch first {
    case 0..<0x80:
      guard running != 0 else { throw .badCommand(place: reader.place) }
      status = running
    case 0x80..<0xF0: running = first
    case 0xF0, 0xF7:
      running = 0
      return try takeSysEx(opens: first == 0xF0, &reader)
    // Undefined, of any length; they end as a SysEx does.
    case 0xF4, 0xF5:
      running = 0
      while try reader.take(UInt8.self) != 0xF7 {}
      return nil
    // Undefined, but of a known length.
    case 0xF9, 0xFD: return nil
    case 0xF8...: break
    default: running = 0
    }
    let length = Message(status: status).length
    let data1 = length > 1 ? try takeDatum(&reader) : 0
    let data2 = length > 2 ? try takeDatum(&reader) : 0
    return .message(Message(status: status, data1: data1, data2: data2))
  }

  private static func takeDatum(_ reader: inout OctetReader) throws(PacketError) -> UInt8 {
    let datum = try reader.take(UInt8.self)
    guard datum < 0x80 else { throw .badCommand(place: reader.place - 1) }
    return datum
  }

  private static func takeSysEx(
    opens: Bool, _ reader: inout OctetReader
  ) throws(PacketError) -> PacketCommand.Content {
    var inside: [UInt8] = []
    while true {
      let octet = try reader.take(UInt8.self)
      switch octet {
      case 0..<0x80: inside.append(octet)
      // F5 stands where the source ended it with another status.
      case 0xF7, 0xF5: return .sysEx(inside, opens: opens, closes: true)
      case 0xF0: return .sysEx(inside, opens: opens, closes: false)
      case 0xF4 where !opens: return .cancelledSysEx
      default: throw .badCommand(place: reader.place - 1)
      }
    }
  }

  private static func append(_ delay: UInt32, to octets: inout [UInt8]) {
    for shift in [21 as UInt32, 14, 7] where delay >> shift > 0 {
      octets.append(UInt8(delay >> shift & 0x7F) | 0x80)
    }
    octets.append(UInt8(delay & 0x7F))
  }

  private static func append(
    _ message: Message, _ running: inout UInt8, to octets: inout [UInt8]
  ) {
    if message.status != running || message.status >= 0xF0 { octets.append(message.status) }
    if message.length > 1 { octets.append(message.data1 & 0x7F) }
    if message.length > 2 { octets.append(message.data2 & 0x7F) }
    // Real-time messages leave the running status alone.
    if message.status < 0xF8 { running = message.status < 0xF0 ? message.status : 0 }
  }
}
