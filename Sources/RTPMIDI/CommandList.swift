// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Encodes and decodes the command list of a packet.
///
/// Source: RFC 6295, section 3.
enum CommandList {
  /// Decodes a list.
  static func commands(
    in octets: [UInt8], startsWithDelay: Bool
  ) throws(PacketError) -> [PacketCommand] {
    var (reader, commands) = (OctetReader(octets), [PacketCommand]())
    var (running, delay): (UInt8, UInt32) = (0, 0)
    while !reader.isAtEnd {
      // The delay of an ignored command also delays the next command.
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

  /// Encodes a list with running status.
  ///
  /// - Returns: The bytes, and true if they begin with a delay.
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
    // Undefined commands of any length, which end like a SysEx.
    case 0xF4, 0xF5:
      running = 0
      while try reader.take(UInt8.self) != 0xF7 {}
      return nil
    // Undefined commands of known length.
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
      // F5 ends a SysEx that another status byte ended at the source.
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
    // Real-time messages do not change the running status.
    if message.status < 0xF8 { running = message.status < 0xF0 ? message.status : 0 }
  }
}
