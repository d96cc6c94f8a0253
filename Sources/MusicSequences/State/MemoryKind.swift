// SPDX-License-Identifier: Apache-2.0

/// A kind of state that GS or XG devices store at an address, with its value after a reset.
///
/// The tables `gs` and `xg` list all kinds. They determine how messages are divided into settings,
/// and the value after a reset. To restore another kind at loops and seeks, add it to a table.
///
/// Sources: Roland SC-88 and Yamaha MU80 owner's manuals, lists of parameters.
package struct MemoryKind: Sendable {
  /// The name, for diagnostics.
  package let name: String
  /// The high byte of the address.
  package let high: Int
  /// The middle bytes of the addresses: one for each part, or a single one.
  package let middle: ClosedRange<Int>
  /// The low bytes of the addresses; a value of several bytes is listed by its first byte.
  package let low: ClosedRange<Int>
  /// Returns the value after a reset for a middle byte.
  package let initial: @Sendable (Int) -> [UInt8]

  private init(
    _ name: String, at high: Int, _ middle: ClosedRange<Int>, _ low: ClosedRange<Int>,
    initial: [UInt8]
  ) {
    self.init(name, at: high, middle, low) { _ in initial }
  }

  private init(
    _ name: String, at high: Int, _ middle: ClosedRange<Int>, _ low: ClosedRange<Int>,
    initial: @escaping @Sendable (Int) -> [UInt8]
  ) {
    (self.name, self.high, self.middle, self.low) = (name, high, middle, low)
    self.initial = initial
  }

  /// The kinds of GS.
  package static let gs: [MemoryKind] = {
    func part(
      _ name: String, _ low: ClosedRange<Int>, _ initial: [UInt8]
    ) -> MemoryKind { MemoryKind(name, at: 0x40, 0x10...0x1F, low, initial: initial) }
    var kinds = [
      MemoryKind("master tuning", at: 0x40, 0...0, 0x00...0x00, initial: [0x00, 0x04, 0x00, 0x00]),
      MemoryKind("master volume", at: 0x40, 0...0, 0x04...0x04, initial: [0x7F]),
      MemoryKind("master key shift, pan", at: 0x40, 0...0, 0x05...0x06, initial: [0x40]),
      MemoryKind("reverb macro", at: 0x40, 1...1, 0x30...0x30, initial: [0x04]),
      MemoryKind("reverb character", at: 0x40, 1...1, 0x31...0x31, initial: [0x04]),
      MemoryKind("reverb pre-low-pass", at: 0x40, 1...1, 0x32...0x32, initial: [0x00]),
      MemoryKind("reverb level, time", at: 0x40, 1...1, 0x33...0x34, initial: [0x40]),
      MemoryKind("reverb feedback, send, predelay", at: 0x40, 1...1, 0x35...0x37, initial: [0x00]),
      MemoryKind("chorus macro", at: 0x40, 1...1, 0x38...0x38, initial: [0x02]),
      MemoryKind("chorus pre-low-pass", at: 0x40, 1...1, 0x39...0x39, initial: [0x00]),
      MemoryKind("chorus level", at: 0x40, 1...1, 0x3A...0x3A, initial: [0x40]),
      MemoryKind("chorus feedback", at: 0x40, 1...1, 0x3B...0x3B, initial: [0x08]),
      MemoryKind("chorus delay", at: 0x40, 1...1, 0x3C...0x3C, initial: [0x50]),
      MemoryKind("chorus rate", at: 0x40, 1...1, 0x3D...0x3D, initial: [0x03]),
      MemoryKind("chorus depth", at: 0x40, 1...1, 0x3E...0x3E, initial: [0x13]),
      MemoryKind("chorus sends", at: 0x40, 1...1, 0x3F...0x40, initial: [0x00]),
      MemoryKind("delay macro, pre-low-pass", at: 0x40, 1...1, 0x50...0x51, initial: [0x00]),
      MemoryKind("delay time", at: 0x40, 1...1, 0x52...0x52, initial: [0x61]),
      MemoryKind("delay ratios", at: 0x40, 1...1, 0x53...0x54, initial: [0x01]),
      MemoryKind("delay level, centre", at: 0x40, 1...1, 0x55...0x55, initial: [0x7F]),
      MemoryKind("delay levels", at: 0x40, 1...1, 0x56...0x57, initial: [0x00]),
      MemoryKind("delay level", at: 0x40, 1...1, 0x58...0x58, initial: [0x40]),
      MemoryKind("delay feedback", at: 0x40, 1...1, 0x59...0x59, initial: [0x50]),
      MemoryKind("delay send", at: 0x40, 1...1, 0x5A...0x5A, initial: [0x00]),
      MemoryKind("EQ frequencies", at: 0x40, 2...2, 0x00...0x00, initial: [0x00]),
      MemoryKind("EQ low gain", at: 0x40, 2...2, 0x01...0x01, initial: [0x40]),
      MemoryKind("EQ high frequency", at: 0x40, 2...2, 0x02...0x02, initial: [0x00]),
      MemoryKind("EQ high gain", at: 0x40, 2...2, 0x03...0x03, initial: [0x40]),
      MemoryKind("insertion effect", at: 0x40, 3...3, 0x00...0x00, initial: [0x00, 0x00]),
      MemoryKind("insertion reverb send", at: 0x40, 3...3, 0x17...0x17, initial: [0x28]),
      MemoryKind("insertion chorus, delay send", at: 0x40, 3...3, 0x18...0x19, initial: [0x00]),
      MemoryKind("insertion controller 1", at: 0x40, 3...3, 0x1B...0x1B, initial: [0x00]),
      MemoryKind("insertion depth 1", at: 0x40, 3...3, 0x1C...0x1C, initial: [0x40]),
      MemoryKind("insertion controller 2", at: 0x40, 3...3, 0x1D...0x1D, initial: [0x00]),
      MemoryKind("insertion depth 2", at: 0x40, 3...3, 0x1E...0x1E, initial: [0x40]),
      MemoryKind("insertion EQ switch", at: 0x40, 3...3, 0x1F...0x1F, initial: [0x01]),
      part("bank and program", 0x00...0x00, [0x00, 0x00]),
      MemoryKind("receive channel", at: 0x40, 0x10...0x1F, 0x02...0x02) {
        [DeviceSetting.channel(ofPart: $0)]
      },
      part("receive switches, mono or poly", 0x03...0x13, [0x01]),
      MemoryKind("assign mode", at: 0x40, 0x10...0x1F, 0x14...0x14) { [$0 == 0x10 ? 0x00 : 0x01] },
      MemoryKind("rhythm part", at: 0x40, 0x10...0x1F, 0x15...0x15) { [$0 == 0x10 ? 0x01 : 0x00] },
      part("key shift", 0x16...0x16, [0x40]), part("pitch offset", 0x17...0x17, [0x08, 0x00]),
      part("level", 0x19...0x19, [0x64]),
      part("velocity sense, pan", 0x1A...0x1C, [0x40]), part("lowest key", 0x1D...0x1D, [0x00]),
      part("highest key", 0x1E...0x1E, [0x7F]), part("controller 1", 0x1F...0x1F, [0x10]),
      part("controller 2", 0x20...0x20, [0x11]), part("chorus send", 0x21...0x21, [0x00]),
      part("reverb send", 0x22...0x22, [0x28]), part("receive bank", 0x23...0x24, [0x01]),
      part("fine tuning", 0x2A...0x2A, [0x40, 0x00]), part("delay send", 0x2C...0x2C, [0x00]),
      part("sound controllers", 0x30...0x37, [0x40]),
      part("scale tuning", 0x40...0x40, Array(repeating: 0x40, count: 12)),
      part("scale tuning of one pitch class", 0x41...0x4B, [0x40]),
      MemoryKind("tone map", at: 0x40, 0x40...0x4F, 0x00...0x00, initial: [0x00]),
      MemoryKind("EQ switch", at: 0x40, 0x40...0x4F, 0x20...0x20, initial: [0x01]),
      MemoryKind("outputs", at: 0x40, 0x40...0x4F, 0x21...0x22, initial: [0x00]),
    ]
    // Six controllers: modulation, bend, pressure, key pressure, and two assignable ones.
    for start in stride(from: 0x00, through: 0x50, by: 0x10) {
      func control(_ name: String, _ low: ClosedRange<Int>, _ initial: UInt8) -> MemoryKind {
        MemoryKind(
          name, at: 0x40, 0x20...0x2F, start + low.lowerBound...start + low.upperBound,
          initial: [initial])
      }
      kinds += [
        control("controller pitch", 0...0, start == 0x10 ? 0x42 : 0x40),
        control("controller filter, level, rate", 1...3, 0x40),
        control("controller vibrato", 4...4, start == 0x00 ? 0x0A : 0x00),
        control("controller LFO 1", 5...6, 0x00), control("controller LFO 2 rate", 7...7, 0x40),
        control("controller LFO 2", 8...10, 0x00),
      ]
    }
    return kinds
  }()

  /// The kinds of XG.
  package static let xg: [MemoryKind] = {
    func part(
      _ name: String, _ low: ClosedRange<Int>, _ initial: [UInt8]
    ) -> MemoryKind { MemoryKind(name, at: 0x08, 0...15, low, initial: initial) }
    func effect(
      _ name: String, _ low: ClosedRange<Int>, _ initial: [UInt8]
    ) -> MemoryKind { MemoryKind(name, at: 0x02, 1...1, low, initial: initial) }
    var kinds = [
      MemoryKind("master tuning", at: 0x00, 0...0, 0x00...0x00, initial: [0x00, 0x04, 0x00, 0x00]),
      MemoryKind("master volume", at: 0x00, 0...0, 0x04...0x04, initial: [0x7F]),
      MemoryKind("master attenuator", at: 0x00, 0...0, 0x05...0x05, initial: [0x00]),
      MemoryKind("transpose", at: 0x00, 0...0, 0x06...0x06, initial: [0x40]),
      effect("reverb type", 0x00...0x00, [0x01, 0x00]),
      effect("reverb return, pan", 0x0C...0x0D, [0x40]),
      effect("chorus type", 0x20...0x20, [0x41, 0x00]),
      effect("chorus return, pan", 0x2C...0x2D, [0x40]),
      effect("chorus send", 0x2E...0x2E, [0x00]),
      effect("variation type", 0x40...0x40, [0x05, 0x00]),
      MemoryKind("insertion type", at: 0x03, 0...3, 0x00...0x00, initial: [0x49, 0x00]),
      MemoryKind("insertion part", at: 0x03, 0...3, 0x0C...0x0C, initial: [0x7F]),
      MemoryKind("insertion controllers", at: 0x03, 0...3, 0x0D...0x11, initial: [0x40]),
      effect("variation return, pan", 0x56...0x57, [0x40]),
      effect("variation sends, connection", 0x58...0x5A, [0x00]),
      effect("variation part", 0x5B...0x5B, [0x7F]),
      effect("variation controllers", 0x5C...0x60, [0x40]),
      part("element reserve", 0x00...0x00, [0x00]),
      MemoryKind("bank MSB", at: 0x08, 0...15, 0x01...0x01) { [$0 == 9 ? 0x7F : 0x00] },
      part("bank LSB, program", 0x02...0x03, [0x00]),
      MemoryKind("receive channel", at: 0x08, 0...15, 0x04...0x04) { [UInt8($0)] },
      part("mono or poly", 0x05...0x05, [0x01]),
      MemoryKind("assign mode", at: 0x08, 0...15, 0x06...0x06) { [$0 == 9 ? 0x02 : 0x01] },
      MemoryKind("part mode", at: 0x08, 0...15, 0x07...0x07) { [$0 == 9 ? 0x02 : 0x00] },
      part("note shift", 0x08...0x08, [0x40]), part("detune", 0x09...0x09, [0x08, 0x00]),
      part("volume", 0x0B...0x0B, [0x64]), part("velocity sense, pan", 0x0C...0x0E, [0x40]),
      part("lowest note", 0x0F...0x0F, [0x00]),
      part("highest note, dry level", 0x10...0x11, [0x7F]),
      part("chorus send", 0x12...0x12, [0x00]), part("reverb send", 0x13...0x13, [0x28]),
      part("variation send", 0x14...0x14, [0x00]),
      part("sound controllers, modulation", 0x15...0x1F, [0x40]),
      part("modulation vibrato", 0x20...0x20, [0x0A]),
      part("modulation", 0x21...0x22, [0x00]), part("bend range", 0x23...0x23, [0x42]),
      part("bend", 0x24...0x25, [0x40]), part("bend LFO", 0x26...0x28, [0x00]),
      part("receive switches", 0x30...0x40, [0x01]), part("scale tuning", 0x41...0x4C, [0x40]),
      part("controller 1", 0x59...0x59, [0x10]), part("controller 2", 0x60...0x60, [0x11]),
      part("portamento", 0x67...0x68, [0x00]), part("pitch envelope", 0x69...0x6C, [0x40]),
      part("lowest velocity", 0x6D...0x6D, [0x01]), part("highest velocity", 0x6E...0x6E, [0x7F]),
    ]
    // Pressure, key pressure, and two assignable controllers.
    for start in [0x4D, 0x53, 0x5A, 0x61] {
      kinds += [
        part("controller pitch, filter, level", start...start + 2, [0x40]),
        part("controller LFO", start + 3...start + 5, [0x00]),
      ]
    }
    return kinds
  }()

  private static let gsPlaces = places(gs)
  private static let xgPlaces = places(xg)

  private static func places(_ kinds: [MemoryKind]) -> [Int: [UInt8]] {
    var places: [Int: [UInt8]] = [:]
    for kind in kinds {
      for middle in kind.middle {
        for low in kind.low {
          places[DeviceSetting.address(kind.high, middle, low)] = kind.initial(middle)
        }
      }
    }
    return places
  }

  /// The value at an address after a reset; nil if it is not known.
  static func initial(gs address: Int) -> [UInt8]? { gsPlaces[address] }

  /// The value at an address after a reset; nil if it is not known.
  static func initial(xg address: Int) -> [UInt8]? { xgPlaces[address] }
}
