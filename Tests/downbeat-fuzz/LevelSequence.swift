// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import TestSupport

/// Sequences by which songs change levels, cutoffs, resonances and tremolos.
enum LevelSequence {
  /// Notes, an NRPN or RPN with its value, or controllers, pressures and bends.
  static func messages(_ random: inout SplitMix) -> [Message] {
    // Few channels, so that what is set meets what sounds; drums among them.
    let channel = [0, 0, 0, 1, 9].randomElement(using: &random) ?? 0 as UInt8
    let value = byte(&random)
    func control(_ number: UInt8, _ value: UInt8) -> Message {
      Message(status: 0xB0 | channel, data1: number, data2: value)
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      return [Message(status: 0x90 | channel, data1: byte(&random), data2: max(1, value))]
    case 3: return [Message(status: 0x80 | channel, data1: byte(&random), data2: 0)]
    case 4...7:
      let (upper, lower) = parameter(&random)
      return [control(99, upper), control(98, lower)] + entry(control, &random)
    case 8:
      let number: UInt8 = [0, 1, 2, 5, 127].randomElement(using: &random) ?? 0
      return [control(101, 0), control(100, number)] + entry(control, &random)
    case 9: return [control(byte(&random), value)]
    case 10:
      let telling: [UInt8] = [1, 2, 5, 7, 10, 11, 64, 65, 67, 71, 74, 84, 120, 121, 126, 127]
      return (0..<4).map { _ in
        control(telling.randomElement(using: &random) ?? 1, extreme(&random))
      }
    default:
      let kind: UInt8 = [0xA0, 0xC0, 0xD0, 0xE0].randomElement(using: &random) ?? 0xE0
      return [Message(status: kind | channel, data1: value, data2: byte(&random))]
    }
  }

  /// A generator of SoundFont 2.04, a parameter of the AWE32, or one of GS and XG.
  private static func parameter(_ random: inout SplitMix) -> (UInt8, UInt8) {
    let telling: [UInt8] = [8, 9, 10, 11, 13, 17, 22, 36, 38, 48, 48, 51, 8, 9]
    return switch Int.random(in: 0..<4, using: &random) {
    case 0...1: (120, telling.randomElement(using: &random) ?? 8)
    case 2: (127, UInt8.random(in: 0...28, using: &random))
    default: (UInt8.random(in: 1...0x1F, using: &random), byte(&random))
    }
  }

  private static func entry(
    _ control: (UInt8, UInt8) -> Message, _ random: inout SplitMix
  ) -> [Message] {
    let (upper, lower) = (extreme(&random), extreme(&random))
    return Bool.random(using: &random)
      ? [control(38, lower), control(6, upper)] : [control(6, upper), control(38, lower)]
  }

  /// Parts and drum notes of GS and XG, master volume and tuning, resets; some of them damaged.
  static func sysEx(_ random: inout SplitMix) -> [UInt8] {
    let value = extreme(&random)
    var bytes: [UInt8]
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      // Depths of controllers, the amplitude's among them, then whatever a part has.
      let high = [0x21, 0x22, 0x20, 0x11, 0x12, 0x41].randomElement(using: &random) ?? 0x21
      let low = Int.random(in: 0...0x5A, using: &random)
      bytes = roland([0x40, UInt8(high), UInt8(low)], values(&random))
    case 3:
      bytes = roland(
        [0x41, UInt8.random(in: 0...0x1F, using: &random), byte(&random)], values(&random))
    case 4...5:
      bytes =
        [0x43, 0x10, 0x4C, 8, UInt8.random(in: 0...2, using: &random), byte(&random)]
        + values(&random)
    case 6:
      bytes =
        [0x43, 0x10, 0x4C, 0x30, byte(&random), UInt8.random(in: 0...0x10, using: &random)]
        + values(&random)
    case 7:
      let kind = UInt8.random(in: 1...5, using: &random)
      bytes = [0x7F, 0x7F, 4, kind, value, extreme(&random)]
    case 8:
      let kind = UInt8.random(in: 1...3, using: &random)
      bytes = [0x7F, 0x7F, 9, kind, 0, 1] + values(&random) + values(&random)
    default:
      let resets: [[UInt8]] = [
        [0x7E, 0x7F, 9, 1], [0x7E, 0x7F, 9, 2], [0x7E, 0x7F, 9, 3],
        roland([0x40, 0, 0x7F], [0]), [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0],
      ]
      bytes = resets.randomElement(using: &random) ?? []
    }
    if Int.random(in: 0..<4, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    return bytes.map { $0 & 0x7F }
  }

  /// Roland's data set with its sum.
  private static func roland(_ address: [UInt8], _ values: [UInt8]) -> [UInt8] {
    let sum = (address + values).reduce(0) { $0 + Int($1) } % 128
    return [0x41, 0x10, 0x42, 0x12] + address + values + [UInt8((128 - sum) % 128)]
  }

  private static func values(_ random: inout SplitMix) -> [UInt8] {
    (0..<Int.random(in: 1...12, using: &random)).map { _ in extreme(&random) }
  }

  private static func byte(_ random: inout SplitMix) -> UInt8 {
    UInt8.random(in: 0...127, using: &random)
  }

  /// Mostly one of the ends, or the middle.
  private static func extreme(_ random: inout SplitMix) -> UInt8 {
    [0, 127, 127, 64, byte(&random), byte(&random)].randomElement(using: &random) ?? 0
  }
}
