// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import ScoreNotation
import TestSupport

/// Time expressions, scores and tables, put together of their own words and damaged.
struct TextTarget: FuzzTarget {
  private static let times = [
    "1:02:03.5", "17|3|240", "9.1.0", "01:00:00;02@29.97df", "sample:44100", "tick:480", "30s",
    "1/8.", "1/4t", "-", "+", "120bpm", "ms:250", "@A", "999999999999999999999", "1e9", "2^62",
    "00:59:59:29", "beats:4", " ", ":", ".", "|", ",", "é", "\u{202E}", "0", "clock:24", "host:1",
  ]
  private static let scores = [
    "tempo 120", "meter 7/8", "key Eb", "part piano", "part drums", "c4 e g", "[c e g]8.",
    "r1", "| ", "\n", "x4 {", "}", "@vol=90", "program 41", "channel 16", "~", "(", ")", "c'8",
    "99999999999", "-1", "#", "\"text\"", ":", "loop", "tie", "<c e>2",
  ]
  private static let rows = [
    "0, 0, Header, 1, 2, 480\n", "1, 0, Start_track\n", "1, 0, Tempo, 500000\n",
    "1, 0, Note_on_c, 0, 60, 64\n", "1, 281474976710655, Note_off_c, 0, 60, 0\n",
    "1, 0, Title_t, \"a\"\"b\\377\"\n", "1, 0, System_exclusive, 3, 1, 2, 247\n",
    "1, 960, End_track\n", "0, 0, End_of_file\n", "2, -1, Pitch_bend_c, 16, 99999\n", ",", "\"",
  ]

  private let scene: FuzzScene
  private let context: TimeContext
  private var (taken, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    guard let ppqn = PPQN(480) else { throw FuzzFault(sentence: "no resolution") }
    context = TimeContext(tempoMap: TempoMap(ppqn: ppqn), meterMap: .common)
  }

  var tally: String { "\(taken) taken, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    let kind = Int.random(in: 0..<8, using: &random)
    let words = kind < 6 ? Self.times : kind == 6 ? Self.scores : Self.rows
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...(kind < 6 ? 4 : 12), using: &random) {
      bytes += (words.randomElement(using: &random) ?? "").utf8
      if kind == 6 { bytes.append(0x20) }
    }
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    do {
      switch kind {
      case 0..<6: try readTime(bytes)
      case 6: try readScore(bytes)
      default: try readTable(bytes)
      }
      taken += 1
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
  }

  private func readTime(_ bytes: [UInt8]) throws {
    let position = try context.position(of: TimeExpression(utf8: bytes.span))
    for format in TimeFormat.allCases {
      // What cannot be said in a format is refused there.
      do {
        _ = try context.value(of: position, in: format, rounding: .nearest)
      } catch {}
    }
  }

  private func readScore(_ bytes: [UInt8]) throws {
    let sequence = try ScoreReader().read(String(decoding: bytes, as: UTF8.self))
    try SongTarget.expectClean(try SMFWriter().write(sequence))
  }

  private func readTable(_ bytes: [UInt8]) throws {
    _ = try SMFReader().read(try CSVReader.file(from: bytes))
  }
}
