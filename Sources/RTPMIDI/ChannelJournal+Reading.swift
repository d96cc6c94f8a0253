// SPDX-License-Identifier: Apache-2.0

extension ChannelJournal {
  init(_ reader: inout OctetReader) throws(PacketError) {
    let head = try reader.take(UInt16.self)
    let table = try reader.take(UInt8.self)
    guard head & 0x3FF >= 3 else { throw .badJournal }
    var inside = OctetReader(try reader.take(count: Int(head & 0x3FF) - 3))
    self.init(channel: UInt8(head >> 11 & 0x0F))
    if table & 0x80 != 0 { program = try Self.program(&inside) }
    if table & 0x40 != 0 { controls = try Self.controls(&inside) }
    if table & 0x20 != 0 { parameters = try Self.parameters(&inside) }
    if table & 0x10 != 0 {
      let low = JournalValue(try inside.take(UInt8.self))
      bend = Bend(low: low, high: try inside.take(UInt8.self) & 0x7F)
    }
    if table & 0x08 != 0 { notes = try Self.notes(&inside) }
    if table & 0x04 != 0 {
      extras = try Self.pairs(&inside) {
        Extra(key: JournalValue($0), isVelocity: $1 >= 0x80, value: $1 & 0x7F)
      }
    }
    if table & 0x02 != 0 { pressure = JournalValue(try inside.take(UInt8.self)) }
    if table & 0x01 != 0 {
      keyPressures = try Self.pairs(&inside) {
        KeyPressure(key: JournalValue($0), pressure: $1 & 0x7F)
      }
    }
  }

  private static func program(_ reader: inout OctetReader) throws(PacketError) -> Program {
    let program = JournalValue(try reader.take(UInt8.self))
    let high = try reader.take(UInt8.self)
    let low = try reader.take(UInt8.self) & 0x7F
    return Program(program: program, bank: high < 0x80 ? nil : Bank(high: high & 0x7F, low: low))
  }

  private static func controls(_ reader: inout OctetReader) throws(PacketError) -> [Control] {
    try pairs(&reader) { number, octet in
      let tool: Tool = octet < 0x80 ? .value : octet & 0x40 != 0 ? .count : .toggles
      return Control(
        number: JournalValue(number), tool: tool, value: octet & (octet < 0x80 ? 0x7F : 0x3F))
    }
  }

  /// Reads a list of two-byte entries, which begins with its length − 1.
  private static func pairs<Log>(
    _ reader: inout OctetReader, _ log: (UInt8, UInt8) -> Log
  ) throws(PacketError) -> [Log] {
    let count = Int(try reader.take(UInt8.self) & 0x7F) + 1
    let octets = try reader.take(count: 2 * count)
    return (0..<count).map { log(octets[2 * $0], octets[2 * $0 + 1]) }
  }

  private static func parameters(_ reader: inout OctetReader) throws(PacketError) -> Parameters {
    let head = try reader.take(UInt16.self)
    guard head & 0x3FF >= 2 else { throw .badJournal }
    var inside = OctetReader(try reader.take(count: Int(head & 0x3FF) - 2))
    var parameters = Parameters(
      isNew: head < 0x8000, pending: nil, isChosen: head & 0x2000 != 0, logs: [])
    if head & 0x4000 != 0 {
      let octet = try inside.take(UInt8.self)
      parameters.pending = PendingParameter(isUnregistered: octet >= 0x80, high: octet & 0x7F)
    }
    // Bit U: all parameters are registered; W: none is. With bit Z the high halves are 0 and left
    // out.
    let isShort = head & 0x0400 != 0 && head & 0x1800 != 0
    while !inside.isAtEnd {
      let low = JournalValue(try inside.take(UInt8.self))
      let high = isShort ? UInt8(head & 0x0800 != 0 ? 0x80 : 0) : try inside.take(UInt8.self)
      var log = Parameter(
        number: ParameterNumber(
          isUnregistered: high >= 0x80, high: high & 0x7F, low: low.value),
        isNew: low.isNew)
      let flags = try inside.take(UInt8.self)
      if flags & 0x80 != 0 { log.entryHigh = try inside.take(UInt8.self) & 0x7F }
      if flags & 0x40 != 0 { log.entryLow = try inside.take(UInt8.self) & 0x7F }
      if flags & 0x20 != 0 {
        let steps = try inside.take(UInt16.self)
        log.steps = Int(steps & 0x3FFF) * (steps >= 0x8000 ? -1 : 1)
      }
      if flags & 0x10 != 0 { _ = try inside.take(UInt16.self) }
      if flags & 0x08 != 0 { _ = try inside.take(UInt8.self) }
      parameters.logs.append(log)
    }
    return parameters
  }

  private static func notes(_ reader: inout OctetReader) throws(PacketError) -> Notes {
    let first = try reader.take(UInt8.self)
    let range = try reader.take(UInt8.self)
    let (low, high) = (range >> 4, range & 0x0F)
    var count = Int(first & 0x7F)
    if count == 127, low == 15, high == 0 { count = 128 }
    let octets = try reader.take(count: 2 * count)
    var notes = Notes(logs: [], released: 0, isReleaseNew: first < 0x80)
    notes.logs = (0..<count).map { index in
      let velocity = octets[2 * index + 1]
      return Note(
        key: JournalValue(octets[2 * index]), velocity: velocity & 0x7F,
        isRecent: velocity >= 0x80)
    }
    guard low <= high else { return notes }
    for place in low...high {
      let bits = try reader.take(UInt8.self)
      for bit in 0..<8 where bits & (0x80 >> UInt8(bit)) != 0 {
        notes.released |= 1 << (8 * Int(place) + bit)
      }
    }
    return notes
  }
}
