// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import MusicSequences
import TestSupport

/// Words of songs, as lyric events or Karaoke's texts: every form of them is lines without what
/// steers a terminal.
struct LyricTarget: FuzzTarget {
  private static let words: [[UInt8]] =
    [
      "@KMIDI KARAOKE FILE", "@T", "@TTitle", "@L", "\\La", "/la ", "la-", " la", "{@LATIN}",
      "{#Title=a}", "{@", "\r", "\n", "\r\n", "\u{1B}[2J", "\u{202E}", "[ti:x]", "<00:00.00>",
      "é", "日本", "", " ", "\u{0}",
    ].map { Array($0.utf8) } + [[0x93, 0xFA], [0xFF], [0x82], [0x80, 0x81], [0xE9]]
  private static let encodings: [String?] = [
    nil, nil, nil, "utf-8", "latin1", "shift-jis", "cp1251", "utf-16le", "utf-16", "iso-2022-jp",
    "utf-7",
    "cp1258", "big5-hkscs",
  ]

  private let scene: FuzzScene
  private var (sung, silent) = (0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(sung) sung, \(silent) without words" }

  mutating func attack(_ random: inout SplitMix) throws {
    var track: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      var text = Self.words.randomElement(using: &random) ?? []
      if Int.random(in: 0..<4, using: &random) == 0 {
        text += Self.words.randomElement(using: &random) ?? []
      }
      let delta: [UInt8] =
        [[0], [0x60], [0x8F, 0], [0xFF, 0xFF, 0xFF, 0x7F]].randomElement(using: &random) ?? [0]
      let kind: UInt8 = [1, 5, 5, 3].randomElement(using: &random) ?? 5
      track += delta + [0xFF, kind, UInt8(text.count)] + text
    }
    track += [0, 0xFF, 0x2F, 0]
    var bytes = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
    bytes += [0, 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)] + track
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    do {
      let file = try SMFReader().read(bytes)
      let encoding = Self.encodings.randomElement(using: &random) ?? nil
      let lines = try CommandEntry.lyrics(of: file, encoding: encoding)
      for line in lines {
        try FuzzFault.unless(
          !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) },
          "a line steers: \(line.debugDescription)")
      }
      if lines.isEmpty { silent += 1 } else { sung += 1 }
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      silent += 1
    }
  }
}
