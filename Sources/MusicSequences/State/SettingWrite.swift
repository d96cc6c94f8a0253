// SPDX-License-Identifier: Apache-2.0

/// A value that a SysEx message writes to a setting, and the message that writes only this.
struct SettingWrite: Hashable, Sendable {
  let setting: DeviceSetting
  /// The bytes before the value, without F0.
  let header: [UInt8]
  let value: [UInt8]

  /// The message that writes another value to the setting, without F0 and F7.
  func message(_ value: [UInt8]) -> [UInt8] {
    if case .other = setting { return header }
    guard header.count >= 4, header[0] == 0x41 else { return header + value }
    // Roland's checksum: address, data and checksum add up to a multiple of 128.
    let sum = header[4...].reduce(0) { $0 + Int($1) } + value.reduce(0) { $0 + Int($1) }
    return header + value + [UInt8((128 - sum % 128) % 128)]
  }

  /// The message that writes this value to the setting, without F0 and F7.
  var message: [UInt8] { message(value) }

  /// The writes of a message, in order; none for a message that does not change the state.
  ///
  /// Sources: MIDI 1.0 Universal SysEx (CA-19…CA-25, MIDI Tuning Standard); Roland SC-88 and Yamaha
  /// MU80 owner's manuals.
  ///
  /// - Parameter bytes: The message without F0 and F7.
  /// - Returns: The writes.
  /// - Complexity: O(n).
  static func all(in bytes: [UInt8]) -> [SettingWrite] {
    guard let maker = bytes.first else { return [] }
    switch maker {
    case 0x7E, 0x7F: return bytes.count >= 4 ? universal(bytes) : []
    case 0x41 where bytes.count >= 4 && bytes[3] == 0x11: return []
    case 0x41 where bytes.count >= 9 && bytes[3] == 0x12: return roland(bytes)
    case 0x43 where bytes.count >= 3 && bytes[2] == 0x4C && bytes[1] & 0x60 == 0x20: return []
    case 0x43 where bytes.count >= 7 && bytes[2] == 0x4C && bytes[1] & 0x70 == 0x10:
      return xg(bytes)
    // Messages with the non-commercial ID do not set anything that could be restored.
    case 0x7D: return []
    default: return [SettingWrite(setting: .other(bytes), header: bytes, value: [])]
    }
  }

  private static func roland(_ bytes: [UInt8]) -> [SettingWrite] {
    let header = Array(bytes[..<4])
    let model = bytes[2]
    let start = DeviceSetting.address(Int(bytes[4]), Int(bytes[5]), Int(bytes[6]))
    return split(Array(bytes[7..<(bytes.count - 1)]), from: start, width: gsWidth) { place, value in
      SettingWrite(
        setting: model == 0x42 ? DeviceSetting(gs: place) : .roland(model: model, place),
        header: header + addressBytes(place), value: value)
    }
  }

  private static func xg(_ bytes: [UInt8]) -> [SettingWrite] {
    let header = Array(bytes[..<3])
    let start = DeviceSetting.address(Int(bytes[3]), Int(bytes[4]), Int(bytes[5]))
    return split(Array(bytes[6...]), from: start, width: xgWidth) { place, value in
      SettingWrite(
        setting: DeviceSetting(xg: place), header: header + addressBytes(place), value: value)
    }
  }

  private static func addressBytes(_ address: Int) -> [UInt8] {
    let place = DeviceSetting.bytes(address)
    return [UInt8(place.high), UInt8(place.middle), UInt8(place.low)]
  }

  /// Divides data among the addresses that it covers.
  private static func split(
    _ data: [UInt8], from start: Int, width: (Int) -> Int,
    _ make: (Int, [UInt8]) -> SettingWrite
  ) -> [SettingWrite] {
    var writes: [SettingWrite] = []
    var index = 0
    while index < data.count {
      let count = min(width(start + index), data.count - index)
      writes.append(make((start + index) & 0x1F_FFFF, Array(data[index..<index + count])))
      index += count
    }
    return writes
  }

  /// The number of bytes of the value at a GS address.
  private static func gsWidth(_ address: Int) -> Int {
    switch DeviceSetting.bytes(address) {
    // A patch's name, and the voice reserve of each part.
    case (0x40, 0x01, 0x00), (0x40, 0x01, 0x10): 16
    default: MemoryKind.initial(gs: address)?.count ?? 1
    }
  }

  /// The number of bytes of the value at an XG address.
  private static func xgWidth(_ address: Int) -> Int {
    switch DeviceSetting.bytes(address) {
    // Parameters of the variation effect have two bytes each.
    case (0x02, 0x01, 0x42...0x55): 2
    default: MemoryKind.initial(xg: address)?.count ?? 1
    }
  }
}

/// Universal messages.
extension SettingWrite {
  private static func universal(_ bytes: [UInt8]) -> [SettingWrite] {
    let isRealTime = bytes[0] == 0x7F
    switch (bytes[2], bytes[3]) {
    case (0x04, 1...4) where isRealTime && bytes.count >= 6:
      return [
        SettingWrite(
          setting: .master(bytes[3]), header: Array(bytes[..<4]), value: Array(bytes[4..<6]))
      ]
    case (0x04, 5) where isRealTime: return effects(bytes)
    case (0x09, 1...2) where isRealTime && bytes.count >= 5:
      return pairs(of: bytes, from: 5) { .destination(source: Array(bytes[3..<5]), parameter: $0) }
    case (0x09, 3) where isRealTime && bytes.count >= 6:
      return pairs(of: bytes, from: 6) { .destination(source: Array(bytes[3..<6]), parameter: $0) }
    case (0x0A, 1) where isRealTime && bytes.count >= 6:
      return pairs(of: bytes, from: 6) {
        .keyControl(channel: bytes[4] & 0x0F, key: bytes[5], controller: $0)
      }
    case (0x08, let kind): return tunings(kind, bytes)
    default: return []
    }
  }

  private static func pairs(
    of bytes: [UInt8], from start: Int, _ setting: (UInt8) -> DeviceSetting
  ) -> [SettingWrite] {
    stride(from: start, to: bytes.count - 1, by: 2).map { index in
      SettingWrite(
        setting: setting(bytes[index]), header: Array(bytes[..<start]) + [bytes[index]],
        value: [bytes[index + 1]])
    }
  }

  /// Global Parameter Control: a path of slots, and parameters with values of a given width.
  private static func effects(_ bytes: [UInt8]) -> [SettingWrite] {
    guard bytes.count >= 7 else { return [] }
    let (depth, width, valueWidth) = (Int(bytes[4]), Int(bytes[5]), Int(bytes[6]))
    let start = 7 + 2 * depth
    guard width > 0, valueWidth > 0, start <= bytes.count else { return [] }
    let header = Array(bytes[..<start])
    let last = bytes.count - width - valueWidth
    guard start <= last else { return [] }
    return stride(from: start, through: last, by: width + valueWidth).map { index in
      let parameter = Array(bytes[index..<index + width])
      return SettingWrite(
        setting: .effect(slot: Array(bytes[7..<start]), parameter: parameter),
        header: header + parameter,
        value: Array(bytes[index + width..<index + width + valueWidth]))
    }
  }

  /// The MIDI Tuning Standard.
  private static func tunings(_ kind: UInt8, _ bytes: [UInt8]) -> [SettingWrite] {
    let device = bytes[1]
    func key(_ bank: UInt8, _ program: UInt8, _ key: Int, at place: Int) -> SettingWrite {
      SettingWrite(
        setting: .tuning(bank: bank, program: program, key: UInt8(key)),
        header: [0x7F, device, 0x08]
          + (bank == 0 ? [0x02, program, 1] : [0x07, bank, program, 1]) + [UInt8(key)],
        value: Array(bytes[place..<place + 3]))
    }
    func keys(_ bank: UInt8, _ program: UInt8, count: Int, from start: Int) -> [SettingWrite] {
      guard bytes.count >= start + 4 * count else { return [] }
      return (0..<count).map { index in
        let place = start + 4 * index
        return key(bank, program, Int(bytes[place] & 0x7F), at: place + 1)
      }
    }
    switch kind {
    case 1 where bytes.count >= 405: return (0..<128).map { key(0, bytes[4], $0, at: 21 + 3 * $0) }
    case 4 where bytes.count >= 406:
      return (0..<128).map { key(bytes[4], bytes[5], $0, at: 22 + 3 * $0) }
    case 2 where bytes.count >= 6: return keys(0, bytes[4], count: Int(bytes[5]), from: 6)
    case 7 where bytes.count >= 7: return keys(bytes[4], bytes[5], count: Int(bytes[6]), from: 7)
    case 8 where bytes.count >= 19: return scales(bytes, valueCount: 12)
    case 9 where bytes.count >= 31: return scales(bytes, valueCount: 24)
    default: return []
    }
  }

  private static func scales(_ bytes: [UInt8], valueCount: Int) -> [SettingWrite] {
    let mask = Int(bytes[4] & 3) << 14 | Int(bytes[5] & 0x7F) << 7 | Int(bytes[6] & 0x7F)
    return (0..<16).filter { mask >> $0 & 1 == 1 }.map { channel in
      let bit = 1 << channel
      return SettingWrite(
        setting: .scale(channel: UInt8(channel)),
        header: Array(bytes[..<4])
          + [UInt8(bit >> 14), UInt8(bit >> 7 & 0x7F), UInt8(bit & 0x7F)],
        value: Array(bytes[7..<7 + valueCount]))
    }
  }
}

extension SettingWrite: Comparable {
  /// The order of the writes of one message, so that equal states give equal messages.
  static func < (left: SettingWrite, right: SettingWrite) -> Bool {
    left.header.lexicographicallyPrecedes(right.header)
  }
}
