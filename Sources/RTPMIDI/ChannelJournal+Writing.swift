// SPDX-License-Identifier: Apache-2.0

extension ChannelJournal {
  /// The most bytes that the length field can state.
  static let longest = 1_023

  /// The bytes; the caller must ensure that there are at most `longest`.
  var encoded: [UInt8] {
    var (table, inside): (UInt8, [UInt8]) = (0, [])
    if let program {
      table |= 0x80
      inside += [program.program.octet, 0, 0]
      if let bank = program.bank {
        inside.replaceSubrange(inside.count - 2..<inside.count, with: [bank.high | 0x80, bank.low])
      }
    }
    if !controls.isEmpty {
      table |= 0x40
      Self.append(controls, to: &inside) { [$0.number.octet, $0.octet] }
    }
    if let parameters {
      table |= 0x20
      inside += Self.octets(parameters)
    }
    if let bend {
      table |= 0x10
      inside += [bend.low.octet, bend.high & 0x7F]
    }
    if let notes {
      table |= 0x08
      inside += Self.octets(notes)
    }
    if !extras.isEmpty {
      table |= 0x04
      Self.append(extras, to: &inside) {
        [$0.key.octet, ($0.value & 0x7F) | ($0.isVelocity ? 0x80 : 0)]
      }
    }
    if let pressure {
      table |= 0x02
      inside.append(pressure.octet)
    }
    if !keyPressures.isEmpty {
      table |= 0x01
      Self.append(keyPressures, to: &inside) { [$0.key.octet, $0.pressure & 0x7F] }
    }
    let head =
      UInt16(isNew ? 0 : 0x8000) | UInt16(channel & 0x0F) << 11 | UInt16(inside.count + 3) & 0x3FF
    var octets: [UInt8] = []
    octets.append(highFirst: head)
    return octets + [table] + inside
  }

  private static func append<Log>(
    _ logs: [Log], to octets: inout [UInt8], _ pair: (Log) -> [UInt8]
  ) {
    octets.append((logs.contains { pair($0)[0] < 0x80 } ? 0 : 0x80) | UInt8(logs.count - 1))
    octets += logs.flatMap(pair)
  }

  private static func octets(_ parameters: Parameters) -> [UInt8] {
    var inside: [UInt8] = []
    if let pending = parameters.pending {
      inside.append((pending.high & 0x7F) | (pending.isUnregistered ? 0x80 : 0))
    }
    for log in parameters.logs {
      var flags: UInt8 = log.steps == nil && log.entryHigh == nil && log.entryLow == nil ? 0 : 0x02
      if log.entryHigh != nil { flags |= 0x80 }
      if log.entryLow != nil { flags |= 0x40 }
      if log.steps != nil { flags |= 0x20 }
      inside += [
        (log.number.low & 0x7F) | (log.isNew ? 0 : 0x80),
        (log.number.high & 0x7F) | (log.number.isUnregistered ? 0x80 : 0), flags,
      ]
      if let high = log.entryHigh { inside.append(high & 0x7F) }
      if let low = log.entryLow { inside.append(low & 0x7F) }
      if let steps = log.steps {
        inside.append(highFirst: UInt16(min(abs(steps), 0x3FFF)) | (steps < 0 ? 0x8000 : 0))
      }
    }
    var head = UInt16(parameters.isNew ? 0 : 0x8000) | UInt16(inside.count + 2)
    if parameters.pending != nil { head |= 0x4000 }
    if parameters.isChosen { head |= 0x2000 }
    var octets: [UInt8] = []
    octets.append(highFirst: head)
    return octets + inside
  }

  private static func octets(_ notes: Notes) -> [UInt8] {
    var octets = [
      UInt8(min(notes.logs.count, 127)) | (notes.isReleaseNew ? 0 : 0x80), 0,
    ]
    for note in notes.logs {
      octets += [note.key.octet, (note.velocity & 0x7F) | (note.isRecent ? 0x80 : 0)]
    }
    guard notes.released != 0 else {
      octets[1] = notes.logs.count > 127 ? 0xF0 : 0xF1
      return octets
    }
    let low = notes.released.trailingZeroBitCount / 8
    let high = 15 - notes.released.leadingZeroBitCount / 8
    octets[1] = UInt8(low << 4 | high)
    for place in low...high {
      var bits: UInt8 = 0
      for bit in 0..<8 where notes.released >> (8 * place + bit) & 1 != 0 {
        bits |= 0x80 >> UInt8(bit)
      }
      octets.append(bits)
    }
    return octets
  }
}

extension ChannelJournal.Control {
  var octet: UInt8 {
    switch tool {
    case .value: value & 0x7F
    case .toggles: 0x80 | (value & 0x3F)
    case .count: 0xC0 | (value & 0x3F)
    }
  }
}
