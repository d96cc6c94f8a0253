// SPDX-License-Identifier: Apache-2.0

/// A setting that can be made by channel messages and by SysEx messages for parts; the last one
/// applies.
///
/// Sources: Roland SC-88 and Yamaha MU80 owner's manuals, lists of parameters and of received data.
struct SharedSetting: Sendable {
  /// A setting of a channel that is made by channel messages.
  enum Field: Hashable, Sendable {
    case controller(UInt8)
    case program
    case mode
    case parameter(ParameterState.Selection)
  }

  let fields: [Field]
  /// The low byte of the address in a GS part, and the middle byte of part 0.
  let gs: (middle: Int, low: Int)?
  /// The low byte of the address in an XG part.
  let xg: Int?

  private static func sound(_ controller: UInt8, _ number: UInt8, gs: Int, xg: Int) -> Self {
    SharedSetting(
      fields: [
        .controller(controller),
        .parameter(.init(isRegistered: false, coarse: 1, fine: number)),
      ], gs: (0x10, gs), xg: xg)
  }

  private static func control(_ number: UInt8, gs: Int?, xg: Int?) -> Self {
    SharedSetting(
      fields: [.controller(number)], gs: gs.map { (0x10, $0) }, xg: xg)
  }

  static let all: [SharedSetting] = [
    sound(76, 0x08, gs: 0x30, xg: 0x15), sound(77, 0x09, gs: 0x31, xg: 0x16),
    sound(74, 0x20, gs: 0x32, xg: 0x18), sound(71, 0x21, gs: 0x33, xg: 0x19),
    sound(73, 0x63, gs: 0x34, xg: 0x1A), sound(75, 0x64, gs: 0x35, xg: 0x1B),
    sound(72, 0x66, gs: 0x36, xg: 0x1C), sound(78, 0x0A, gs: 0x37, xg: 0x17),
    control(7, gs: 0x19, xg: 0x0B), control(10, gs: 0x1C, xg: 0x0E),
    control(91, gs: 0x22, xg: 0x13), control(93, gs: 0x21, xg: 0x12),
    control(94, gs: 0x2C, xg: 0x14), control(65, gs: nil, xg: 0x67),
    control(5, gs: nil, xg: 0x68), control(0, gs: nil, xg: 0x01),
    control(32, gs: nil, xg: 0x02),
    SharedSetting(fields: [.program, .controller(0)], gs: (0x10, 0x00), xg: nil),
    SharedSetting(fields: [.program], gs: nil, xg: 0x03),
    SharedSetting(fields: [.mode], gs: (0x10, 0x13), xg: 0x05),
    SharedSetting(
      fields: [.parameter(.init(isRegistered: true, coarse: 0, fine: 0))], gs: (0x20, 0x10),
      xg: 0x23),
  ]

  private static let byAddress: [Int: SharedSetting] = {
    var found: [Int: SharedSetting] = [:]
    for setting in all {
      if let gs = setting.gs { found[gs.middle << 7 | gs.low] = setting }
      if let xg = setting.xg { found[xg] = setting }
    }
    return found
  }()

  private static let byField: [Field: [SharedSetting]] = {
    var found: [Field: [SharedSetting]] = [:]
    for setting in all { for field in setting.fields { found[field, default: []].append(setting) } }
    return found
  }()

  /// The channel and the fields that correspond to a setting; nil if none do.
  static func fields(of setting: DeviceSetting) -> (channel: UInt8, fields: [Field])? {
    switch setting {
    case .rhythm(let channel): return (channel, [.program])
    case .gs(let address):
      let place = DeviceSetting.bytes(address)
      guard place.high == 0x40, place.middle & 0x70 == 0x10 || place.middle & 0x70 == 0x20,
        let found = byAddress[(place.middle & 0x70) << 7 | place.low]
      else { return nil }
      return (DeviceSetting.channel(ofPart: place.middle), found.fields)
    case .xg(let address):
      let place = DeviceSetting.bytes(address)
      guard place.high == 0x08, place.middle < 16, let found = byAddress[place.low] else {
        return nil
      }
      return (UInt8(place.middle), found.fields)
    default: return nil
    }
  }

  /// For each controller, true if it may be shared.
  ///
  /// Data entry may set a shared parameter.
  private static let sharesController: [Bool] = (0..<128).map { number in
    [6, 38, 96, 97, 126, 127].contains(number) || byField[.controller(UInt8(number))] != nil
  }

  /// True if a channel message may set the same thing as a SysEx message.
  static func mayShare(_ record: EventRecord) -> Bool {
    switch record.status & 0xF0 {
    case 0xB0: sharesController[Int(record.data1 & 0x7F)]
    case 0xC0: true
    default: false
    }
  }

  /// The settings that correspond to a field of a channel.
  static func settings(of field: Field, on channel: UInt8) -> [DeviceSetting] {
    (byField[field] ?? []).flatMap { shared -> [DeviceSetting] in
      let part = channel == 9 ? 0 : channel < 9 ? Int(channel) + 1 : Int(channel)
      let gs = shared.gs.map { DeviceSetting.address(0x40, $0.middle | part, $0.low) }
      let xg = shared.xg.map { DeviceSetting.address(0x08, Int(channel), $0) }
      return [gs.map { .gs($0) }, xg.map { .xg($0) }].compactMap { $0 }
    }
  }
}
