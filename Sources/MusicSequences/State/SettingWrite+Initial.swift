// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The values that settings have after a reset.
///
/// Sources: General MIDI 2 (RP-024) and CA-24; Roland SC-88 and Yamaha MU80 owner's manuals, lists
/// of parameters.
extension SettingWrite {
  /// The value of the setting after a reset of a device to a mode, in the form of this write; nil
  /// if not known.
  func initialValue(on device: StateDevice, after mode: SysExReset?) -> [UInt8]? {
    guard device == .synthesizer else { return initialValue }
    switch setting {
    // With 64, a key keeps its position in the soundfont.
    case .keyControl(_, _, 10): return [0x40]
    case .gs(let address):
      let place = DeviceSetting.bytes(address)
      let isReverbSend = place.high == 0x40 && place.middle & 0x70 == 0x10 && place.low == 0x22
      return isReverbSend ? [device.reverbSend(after: mode)] : initialValue
    case .xg(let address):
      let place = DeviceSetting.bytes(address)
      let isReverbSend = place.high == 0x08 && place.middle < 16 && place.low == 0x13
      return isReverbSend ? [device.reverbSend(after: mode)] : initialValue
    default: return initialValue
    }
  }

  /// The value of the setting after a reset, in the form of this write; nil if not known.
  var initialValue: [UInt8]? {
    switch setting {
    case .master(let number): initialMaster(number)
    case .scale:
      // One byte for each pitch class, or two.
      (0..<value.count).map { value.count == 24 && $0 % 2 == 1 ? 0 : 0x40 }
    case .rhythm(let channel): [channel == 9 ? (header[0] == 0x43 ? 2 : 1) : 0]
    case .tuning(_, _, let key): [key, 0, 0]
    case .effect(_, let parameter): Self.effect(slot: setting, parameter)
    case .destination(_, let parameter): [parameter < 3 ? 0x40 : 0]
    case .keyControl(_, _, let controller): controller == 10 ? nil : [0x40]
    case .gs(let address): MemoryKind.initial(gs: address).map { Array($0.prefix(value.count)) }
    case .xg(let address): MemoryKind.initial(xg: address).map { Array($0.prefix(value.count)) }
    case .roland, .other: nil
    }
  }

  private func initialMaster(_ number: UInt8) -> [UInt8]? {
    guard header[0] == 0x7F else {
      switch number {
      case 1: return [0x7F]
      case 3: return [0x00, 0x04, 0x00, 0x00]
      default: return [0x40]
      }
    }
    return number == 1 ? [0x7F, 0x7F] : [0x00, 0x40]
  }

  private static func effect(slot: DeviceSetting, _ parameter: [UInt8]) -> [UInt8]? {
    guard case .effect(let slot, _) = slot, let number = parameter.last else { return nil }
    let values: [UInt8: UInt8] =
      switch slot {
      // Large hall, 1.8 s.
      case [1, 1]: [0: 4, 1: 64]
      // Chorus 3.
      case [1, 2]: [0: 2, 1: 3, 2: 19, 3: 8, 4: 0]
      default: [:]
      }
    return values[number].map { [$0] }
  }

  /// The tuning of a single pitch class of a GS part is reset with the whole scale.
  private static func initialScale(like write: SettingWrite) -> SettingWrite? {
    guard case .gs = write.setting else {
      return write.initialValue.map {
        SettingWrite(setting: write.setting, header: write.header, value: $0)
      }
    }
    return SettingWrite(
      setting: write.setting, header: write.header.dropLast() + [0x40],
      value: Array(repeating: 0x40, count: 12))
  }

  /// The first write of a group, which resets all its settings.
  static func initial(
    of group: SettingGroup, like write: SettingWrite
  ) -> SettingWrite? {
    let place: (DeviceSetting, tail: [UInt8], value: [UInt8])? =
      switch (group, write.setting) {
      case (.reverb, .gs): (.gs(0), [0x40, 0x01, 0x30], [0x04])
      case (.chorus, .gs): (.gs(0), [0x40, 0x01, 0x38], [0x02])
      case (.delay, .gs): (.gs(0), [0x40, 0x01, 0x50], [0x00])
      case (.insertion, .gs): (.gs(0), [0x40, 0x03, 0x00], [0x00, 0x00])
      case (.reverb, .xg): (.xg(0), [0x02, 0x01, 0x00], [0x01, 0x00])
      case (.chorus, .xg): (.xg(0), [0x02, 0x01, 0x20], [0x41, 0x00])
      case (.insertion, .xg(let address)):
        (.xg(0), [0x03, UInt8(address >> 7 & 0x7F), 0x00], [0x49, 0x00])
      case (.variation, .xg): (.xg(0), [0x02, 0x01, 0x40], [0x05, 0x00])
      case (.drumSetup(let number), .xg): (.xg(0), [0x00, 0x00, 0x7D], [number])
      case (.reverb, .effect(_, let parameter)):
        (write.setting, Array(repeating: 0, count: parameter.count), [4])
      case (.chorus, .effect(_, let parameter)):
        (write.setting, Array(repeating: 0, count: parameter.count), [2])
      default: nil
      }
    if case .scale = group { return initialScale(like: write) }
    guard let place else { return nil }
    return SettingWrite(
      setting: place.0, header: write.header.dropLast(place.tail.count) + place.tail,
      value: place.value)
  }
}
