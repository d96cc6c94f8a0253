// SPDX-License-Identifier: Apache-2.0

/// One setting of a device that SysEx messages change.
///
/// Messages of different makers that change the same thing have the same setting. For example,
/// master volume is one setting of a universal, a GS and an XG message.
enum DeviceSetting: Hashable, Sendable {
  /// A master setting by its universal number: 1 volume, 2 balance, 3 fine tuning, 4 coarse tuning.
  case master(UInt8)
  /// The tuning of a channel's twelve pitch classes.
  case scale(channel: UInt8)
  /// The rhythm part switch of a channel.
  case rhythm(channel: UInt8)
  /// The pitch of one key of a tuning program.
  case tuning(bank: UInt8, program: UInt8, key: UInt8)
  /// A parameter of an effect (Global Parameter Control), by its slot.
  case effect(slot: [UInt8], parameter: [UInt8])
  /// A parameter that a controller or pressure controls on a channel (Controller Destination Setting).
  case destination(source: [UInt8], parameter: UInt8)
  /// A parameter of one key of a drum channel (Key-Based Instrument Control).
  case keyControl(channel: UInt8, key: UInt8, controller: UInt8)
  /// An address in the memory of a GS device: three bytes of seven bits.
  case gs(Int)
  /// An address in the memory of an XG device.
  case xg(Int)
  /// An address in the memory of another Roland device, by its model.
  case roland(model: UInt8, Int)
  /// An unknown message, with all of its bytes.
  case other([UInt8])
}

/// Settings that are only restored together, because the type of an effect changes its parameters.
enum SettingGroup: Hashable, Sendable {
  case reverb, chorus, delay, insertion, variation
  /// The drum notes of an XG drum setup, 0…15, or of a GS drum map, 16…17.
  case drumSetup(UInt8)
  case scale(channel: UInt8)
}

extension DeviceSetting {
  /// The high, middle and low bytes of an address.
  static func address(_ high: Int, _ middle: Int, _ low: Int) -> Int {
    high << 14 | middle << 7 | low
  }

  static func bytes(_ address: Int) -> (high: Int, middle: Int, low: Int) {
    (address >> 14 & 0x7F, address >> 7 & 0x7F, address & 0x7F)
  }

  /// The setting of a GS address.
  ///
  /// Parts are converted to channels.
  init(gs address: Int) {
    let place = Self.bytes(address)
    switch place {
    case (0x40, 0x00, 0x00): self = .master(3)
    case (0x40, 0x00, 0x04): self = .master(1)
    case (0x40, 0x00, 0x05): self = .master(4)
    case (0x40, 0x10...0x1F, 0x15): self = .rhythm(channel: Self.channel(ofPart: place.middle))
    case (0x40, 0x10...0x1F, 0x40): self = .scale(channel: Self.channel(ofPart: place.middle))
    default: self = .gs(address)
    }
  }

  /// The setting of an XG address.
  init(xg address: Int) {
    let place = Self.bytes(address)
    switch place {
    case (0x00, 0x00, 0x00): self = .master(3)
    case (0x00, 0x00, 0x04): self = .master(1)
    case (0x00, 0x00, 0x06): self = .master(4)
    case (0x08, 0..<16, 0x07): self = .rhythm(channel: UInt8(place.middle))
    default: self = .xg(address)
    }
  }

  /// The channel index of a GS part: part 0 is channel 10, parts 1…9 are channels 1…9, the others
  /// are equal.
  static func channel(ofPart part: Int) -> UInt8 {
    let part = part & 0x0F
    return UInt8(part == 0 ? 9 : part <= 9 ? part - 1 : part)
  }

  /// True for a parameter of a drum note.
  var isOfDrumNote: Bool {
    if case .drumSetup = group { true } else { false }
  }

  /// The group that the setting is restored with, or nil.
  var group: SettingGroup? {
    switch self {
    case .effect([1, 1], _): .reverb
    case .effect([1, 2], _): .chorus
    case .scale(let channel): .scale(channel: channel)
    case .gs(let address): Self.gsGroup(Self.bytes(address))
    case .xg(let address): Self.xgGroup(Self.bytes(address))
    default: nil
    }
  }

  private static func gsGroup(_ place: (high: Int, middle: Int, low: Int)) -> SettingGroup? {
    switch place {
    case (0x40, 0x01, 0x30...0x37): .reverb
    case (0x40, 0x01, 0x38...0x40): .chorus
    case (0x40, 0x01, 0x50...0x5A): .delay
    // The type sets the parameters, but not the sends.
    case (0x40, 0x03, 0x00...0x16): .insertion
    case (0x41, 0x00...0x1F, _): .drumSetup(UInt8(0x10 + place.middle >> 4))
    case (0x40, 0x10...0x1F, 0x41...0x4B): .scale(channel: channel(ofPart: place.middle))
    default: nil
    }
  }

  private static func xgGroup(_ place: (high: Int, middle: Int, low: Int)) -> SettingGroup? {
    switch place {
    case (0x02, 0x01, 0x00...0x15): .reverb
    case (0x02, 0x01, 0x20...0x35): .chorus
    case (0x02, 0x01, 0x40...0x75): .variation
    case (0x03, 0...3, _): .insertion
    case (0x30...0x3F, _, _): .drumSetup(UInt8(place.high & 0x0F))
    default: nil
    }
  }
}
