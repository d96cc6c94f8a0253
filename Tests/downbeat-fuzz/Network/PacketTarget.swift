// SPDX-License-Identifier: Apache-2.0
import OpenSoundControl
import TestSupport

/// Packets of Open Sound Control, damaged: what is read is written to bytes that are read to the
/// same, what is not says where, and nothing is read that did not come.
struct PacketTarget: FuzzTarget {
  private let scene: FuzzScene
  private var (read, refused) = (0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
  }

  var tally: String { "\(read) packets read, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = try packet(0, &random).bytes()
    if Int.random(in: 0..<8, using: &random) > 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    do {
      let packet = try OSCPacket(reading: bytes)
      // By their bytes: a number that is none is not equal to itself.
      let again = try packet.bytes()
      let isSame = try OSCPacket(reading: again).bytes() == again
      try FuzzFault.unless(isSame && again.count <= bytes.count, "\(packet): not the same again")
      read += 1
    } catch let error as OSCError {
      let offset = "\(error)".firstMatch(of: /^byte (\d+):/).flatMap { Int($0.1) }
      try FuzzFault.unless(offset ?? .max <= bytes.count, "\(error), of \(bytes.count) bytes")
      refused += 1
    }
  }

  private func packet(_ depth: Int, _ random: inout SplitMix) -> OSCPacket {
    guard depth < OSCPacket.deepest, Int.random(in: 0..<3, using: &random) == 0 else {
      let count = Int.random(in: 0...6, using: &random)
      return .message(OSCMessage("/downbeat/seek", (0..<count).map { _ in value(&random) }))
    }
    let count = Int.random(in: 0...4, using: &random)
    return .bundle(
      OSCBundle(
        (0..<count).map { _ in packet(depth + 1, &random) },
        at: OSCTimeTag(rawValue: random.next())))
  }

  private func value(_ random: inout SplitMix) -> OSCValue {
    switch Int.random(in: 0...10, using: &random) {
    case 0: .int32(.random(in: .min ... .max, using: &random))
    case 1: .float(Float(bitPattern: .random(in: 0 ... .max, using: &random)))
    case 2: .string(String(repeating: "é", count: .random(in: 0...9, using: &random)))
    case 3: .blob([UInt8](repeating: 7, count: .random(in: 0...9, using: &random)))
    case 4: .int64(.random(in: .min ... .max, using: &random))
    case 5: .timeTag(OSCTimeTag(rawValue: random.next()))
    case 6: .double(Double(bitPattern: random.next()))
    case 7: .bool(true)
    case 8: .bool(false)
    case 9: .null
    default: .impulse
    }
  }
}
