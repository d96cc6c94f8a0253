// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import OpenSoundControl
import TestSupport

/// What is sent to a player by Open Sound Control: each message is understood, or refused with a
/// sentence.
struct AddressTarget: FuzzTarget {
  private static let names = [
    "play", "stop", "seek", "locate", "tempo", "mute", "solo", "volume", "speed", "loop", "program",
    "get", "set", "status", "observe", "bars", "tap", "mute*", "{louder,softer}", "[a-z]*", "*",
    "vol?me", "[!q]*", "",
  ]
  private static let texts = [
    "5.1.0", "+10", "-3dB", "80%", "2,10", "tempo", "pause", "list", "@a", "1e9", "", "99:99:99",
    "1/0", "é", "none",
  ]

  private let scene: FuzzScene
  private var (understood, refused) = (0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
  }

  var tally: String { "\(understood) understood, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    let name = Self.names.randomElement(using: &random) ?? ""
    let count = Int.random(in: 0...3, using: &random)
    let message = OSCMessage("/downbeat/\(name)", (0..<count).map { _ in value(&random) })
    var bytes = try OSCPacket.message(message).bytes()
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    if let refusal = CommandEntry.refusal(ofDatagram: bytes) {
      try FuzzFault.unless(!refusal.isEmpty, "a refusal without a sentence")
      refused += 1
    } else {
      understood += 1
    }
  }

  private func value(_ random: inout SplitMix) -> OSCValue {
    switch Int.random(in: 0...9, using: &random) {
    case 0: .int32(.random(in: -20...130, using: &random))
    case 1: .int32(.random(in: .min ... .max, using: &random))
    case 2: .float(Float(bitPattern: .random(in: 0 ... .max, using: &random)))
    case 3: .double(Double(bitPattern: random.next()))
    case 4: .float(.random(in: 0...1, using: &random))
    case 5: .bool(Bool.random(using: &random))
    case 6: .impulse
    case 7: .int64(.random(in: .min ... .max, using: &random))
    default: .string(Self.texts.randomElement(using: &random) ?? "")
    }
  }
}
