// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import TestSupport

/// What programs send to a player: each line is understood, or refused with a sentence.
struct RequestTarget: FuzzTarget {
  private static let words = [
    "seek", "1:30", "-4|0|0", "relative", "volume", "-3dB", "1e400", "mute", "2,10", "-", "3-",
    "loop", "33.1.0", "set_property", "get_property", "observe_property", "time-pos", "pause",
    "speed", "80%", "go", "transpose", "é", "\\u0000", "\\ud800", "playlist-pos", "percent-pos",
  ]
  private static let values = [
    "1", "-1", "1e9", "99999999999999999999", "0.5", "true", "null", "[]", "[1,16]", "{}", "[[",
  ]

  private let scene: FuzzScene
  private var (understood, refused) = (0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(understood) understood, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var words: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let isText = words.isEmpty || Bool.random(using: &random)
      words.append(
        isText
          ? "\"\(Self.words.randomElement(using: &random) ?? "")\""
          : Self.values.randomElement(using: &random) ?? "")
    }
    let id = Self.values.randomElement(using: &random) ?? "1"
    var bytes = Array(#"{"command":[\#(words.joined(separator: ","))],"request_id":\#(id)}"#.utf8)
    if Bool.random(using: &random) { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    if let refusal = CommandEntry.refusal(ofRequest: bytes) {
      try FuzzFault.unless(!refusal.isEmpty, "a refusal without a sentence")
      refused += 1
    } else {
      understood += 1
    }
  }
}
