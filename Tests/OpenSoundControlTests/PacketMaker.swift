// SPDX-License-Identifier: Apache-2.0
import OpenSoundControl
import TestSupport

/// Packets made by chance.
struct PacketMaker {
  var random: SplitMix
  /// True to leave out arguments that python-osc cannot write: impulses, time tags, empty blobs,
  /// and tags finer than a microsecond.
  var isForPython = false

  mutating func packet(depth: Int = 0) -> OSCPacket {
    guard depth < 3, Int.random(in: 0..<3, using: &random) == 0 else { return .message(message()) }
    let count = Int.random(in: 0...4, using: &random)
    return .bundle(OSCBundle((0..<count).map { _ in packet(depth: depth + 1) }, at: tag()))
  }

  mutating func message() -> OSCMessage {
    let count = Int.random(in: 0...9, using: &random)
    return OSCMessage("/" + text(), (0..<count).map { _ in value() })
  }

  private mutating func tag() -> OSCTimeTag {
    if Int.random(in: 0..<4, using: &random) == 0 { return .immediately }
    let bits = random.next()
    return OSCTimeTag(rawValue: isForPython ? (bits | 1 << 63) & ~0xFFF : bits)
  }

  private mutating func text() -> String {
    let count = Int.random(in: 0...9, using: &random)
    return String((0..<count).map { _ in "aZ0/ é♪𝄞".randomElement(using: &random) ?? "a" })
  }

  private mutating func value() -> OSCValue {
    switch Int.random(in: 0...(isForPython ? 8 : 10), using: &random) {
    case 0: .int32(.random(in: .min ... .max, using: &random))
    case 1: .float(.random(in: -1e30...1e30, using: &random))
    case 2: .string(text())
    case 3:
      .blob(
        (0..<Int.random(in: (isForPython ? 1 : 0)...9, using: &random)).map { _ in
          .random(in: 0 ... .max, using: &random)
        })
    case 4: .int64(.random(in: .min ... .max, using: &random))
    case 5: .double(.random(in: -1e300...1e300, using: &random))
    case 6: .bool(true)
    case 7: .bool(false)
    case 8: .null
    case 9: .timeTag(tag())
    default: .impulse
    }
  }
}
