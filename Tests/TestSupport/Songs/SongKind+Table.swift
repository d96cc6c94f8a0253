// SPDX-License-Identifier: Apache-2.0

/// The table of inputs for each kind of fault, ordered by kind.
extension SongKind {
  /// All songs.
  public static let all =
    controls + order + short + crossed + looped + packets + banks + drums + ends + sought

  private static let on = "90 45 64"
  private static let off = "80 45 40"
  private static let top = "E0 7F 7F"
  private static let gm = "F0 7E 7F 09 01 F7"
  private static let gm2 = "F0 7E 7F 09 03 F7"
  private static let gs = "F0 41 10 42 12 40 00 7F 00 41 F7"
  private static let xg = "F0 43 10 4C 00 00 7E 00 F7"
  /// Two semitones up for all channels.
  private static let tuned = "F0 7F 7F 04 04 00 42 F7"
  private static let untuned = "F0 7F 7F 04 04 00 40 F7"

  private static let controls = [
    SongKind(
      "K0", "a note-off, then sostenuto: not held",
      "0 \(on), 480 90 45 00, 0 B0 42 7F, 480 B0 42 00", sound: "0 - -"),
    SongKind(
      "K0", "the next note of another channel", "0 \(on), 480 \(off), 0 91 45 64, 480 81 45 40",
      sound: "0 0 -"),
    SongKind(
      "K0", "no length, by velocity 0", "480 91 45 64, 0 91 45 00, 960 FF 01", sound: "- - -"),
    SongKind(
      "K0", "a program of the third track", "0 \(on), 480 \(off)", "0 B0 07 64", "0 C0 01",
      sent: "0 B0 07 64, 0 C0 01, 0 \(on), 500 \(off)", sound: "1200 -"),
    SongKind(
      "K0", "a bend range of 1.5 semitones",
      "0 B0 65 00, 0 B0 64 00, 0 B0 06 01, 0 B0 26 32, 0 \(top), 0 \(on), 480 \(off)",
      sound: "150 -"),
  ]

  private static let order = [
    SongKind(
      "K1", "pedal down, then velocity 0: held",
      "0 \(on), 480 B0 40 7F, 0 90 45 00, 480 B0 40 00", sound: "0 0 -"),
    SongKind(
      "K1", "bend, then reset all controllers", "480 \(top), 0 B0 79 00, 480 \(on), 480 \(off)",
      sound: "- - 0 -"),
    SongKind(
      "K1", "bend, then GM2 On", "480 \(top), 0 \(gm2), 480 \(on), 480 \(off)", sound: "- - 0 -"),
    SongKind(
      "K1", "note-on, then all notes off", "480 \(on), 0 B0 7B 00, 480 \(off)", sound: "- - -"),
    SongKind(
      "K1", "the pedal up and down: the old note ends",
      """
      0 B0 40 7F, 0 \(on), 240 \(off), 240 B0 40 00, 0 B0 40 7F, 480 B0 40 00, 0 90 51 64,
      480 80 51 40
      """, sound: "0 - 1200 -"),
    SongKind(
      "K1", "a pedal of an earlier track: held",
      "480 B0 40 7F, 480 B0 40 00", "0 \(on), 480 \(off)",
      sent: "0 \(on), 500 B0 40 7F, 500 \(off), 1000 B0 40 00", sound: "0 0 -"),
    SongKind(
      "K1", "a pedal of a later track: not held",
      "0 \(on), 480 \(off)", "480 B0 40 7F, 480 B0 40 00",
      sent: "0 \(on), 500 \(off), 500 B0 40 7F, 1000 B0 40 00", sound: "0 - -"),
    SongKind(
      "K1", "pedal down, note-on, note-off of the note before: it rings, struck again",
      "0 \(on), 480 B0 40 7F, 0 90 45 30, 0 \(off), 480 80 45 41, 480 B0 40 00",
      sent: """
        0 \(on), 500 B0 40 7F, 500 \(off), 500 90 45 30, 1000 80 45 41, 1500 B0 40 00
        """, sound: "0 0 0 -"),
  ]

  private static let short = [
    SongKind(
      "K2", "two short notes and a long one",
      "480 \(on), 0 80 45 40, 0 90 45 63, 0 80 45 41, 0 90 45 62, 480 80 45 42", sound: "- 0 -"),
    SongKind(
      "K2", "a short chord, then one of its notes",
      "480 \(on), 0 90 39 64, 0 80 39 40, 0 80 45 41, 0 90 45 60, 480 \(off)", sound: "- 0 -"),
    SongKind(
      "K2", "a short note at the end of an older one",
      "0 \(on), 480 90 45 60, 0 80 45 41, 0 \(off), 480 FF 01",
      sent: "0 \(on), 500 80 45 41, 500 90 45 60, 500 \(off)", sound: "0 - -"),
    SongKind(
      "K2", "velocity 0 in the first track, the long note in the third",
      "480 \(on), 0 90 45 00", "480 B0 07 64", "480 90 45 60, 480 90 45 00",
      sent: "500 B0 07 64, 500 \(on), 500 90 45 00, 500 90 45 60, 1000 90 45 00", sound: "- 0 -"),
  ]

  private static let crossed = [
    SongKind(
      "K3", "a note-off in an earlier track", "480 \(off)", "0 \(on), 960 FF 01",
      sent: "0 \(on), 500 \(off)", sound: "0 - -"),
    SongKind(
      "K3", "velocity 0 in a later track", "0 \(on)", "480 90 45 00, 480 FF 01",
      sent: "0 \(on), 500 90 45 00", sound: "0 - -"),
    SongKind(
      "K3", "a note-off in the third track, the note's own goes on",
      "0 \(on), 1440 FF 01", "0 B0 07 64", "960 \(off)",
      sent: "0 B0 07 64, 0 \(on), 1000 \(off)", sound: "0 0 -"),
    SongKind(
      "K3", "a note-off in another track ends a note of the same channel",
      "0 \(on), 960 \(off)", "0 C1 01, 0 91 45 50", "480 81 45 40",
      sent: "0 C1 01, 0 \(on), 0 91 45 50, 500 81 45 40, 1000 \(off)", sound: "? 0 -"),
  ]

  /// A note, changes, and a note, twice.
  private static func twice(
    _ kind: String, _ name: String, _ changes: String, back: String, before: [String] = [],
    end: String = "", sound: String
  ) -> SongKind {
    func list(_ text: String) -> [String] { text.split(separator: ",").map { String($0) } }
    let events =
      (before + [on]).map { "0 \($0)" } + ["480 \(off)"] + list(changes).map { "0 \($0)" }
    func pass(_ start: Int) -> [String] {
      (before + [on]).map { "\(start) \($0)" } + ["\(start + 500) \(off)"]
        + list(changes).map { "\(start + 500) \($0)" }
        + ["\(start + 500) \(on)", "\(start + 1000) \(off)"]
    }
    let sent =
      pass(0) + list(back).map { "1000 \($0)" } + pass(1000) + list(end).map { "2000 \($0)" }
    return SongKind(
      kind, name, (events + ["0 \(on)", "480 \(off)"]).joined(separator: ","),
      way: .twice, sent: sent.joined(separator: ","), sound: sound)
  }

  private static let looped = [
    twice(
      "K4", "master fine tuning", "F0 7F 7F 04 03 00 60 F7", back: "F0 7F 7F 04 03 00 40 F7",
      sound: "0 50 0 50 -"),
    twice("K4", "bend", top, back: "E0 00 40", sound: "0 200 0 200 -"),
    twice(
      "K4", "bend range and bend", "B0 65 00, B0 64 00, B0 06 0C, \(top)",
      back: "B0 65 00, B0 64 00, B0 06 02, B0 26 00, B0 65 7F, B0 64 7F, E0 00 40",
      sound: "0 1200 0 1200 -"),
    twice(
      "K4", "GS key shift", "F0 41 10 42 12 40 00 05 45 76 F7",
      back: "F0 41 10 42 12 40 00 05 40 7B F7", sound: "0 500 0 500 -"),
    twice("K4", "volume", "B0 07 28", back: "B0 07 64", sound: "0@1 0@.16 0@1 0@.16 -"),
    twice(
      "K4", "GS master volume", "F0 41 10 42 12 40 00 04 40 7C F7",
      back: "F0 41 10 42 12 40 00 04 7F 3D F7", sound: "0@1 0@.254 0@1 0@.254 -"),
    twice(
      "K4", "program", "C0 01", back: "B0 00 00, B0 20 00, C0 00", sound: "0 1200 0 1200 -"),
    twice(
      "K4", "bank and program", "B0 00 08, C0 01", back: "B0 00 00, B0 20 00, C0 00",
      sound: "0 ? 0 ? -"),
    twice("K4", "pedal", "B0 40 7F", back: "B0 40 00", end: "B0 40 00", sound: "0 0 0 0 -"),
    SongKind(
      "K4", "a pedal held at the end",
      "0 \(on), 240 \(off), 240 B0 40 7F, 0 \(on), 240 \(off), 240 FF 01", way: .twice,
      sent: """
        0 \(on), 250 \(off), 500 B0 40 7F, 500 \(on), 750 \(off), 1000 B0 40 00, 1000 \(on),
        1250 \(off), 1500 B0 40 7F, 1500 \(on), 1750 \(off), 2000 B0 40 00
        """, sound: "0 - 0 0 0 - 0 0 -", stretch: 250),
    twice(
      "K4", "XG rhythm part", "F0 43 10 4C 08 00 07 02 F7",
      back: "F0 7E 7F 09 02 F7", before: [xg, "C0 01"], sound: "1200 0 1200 0 -"),
    SongKind(
      "K4", "a note that sounds at the end", "0 90 51 64, 480 80 51 40, 0 \(on), 480 FF 01",
      way: .twice,
      sent: """
        0 90 51 64, 500 80 51 40, 500 \(on), 1000 \(off), 1000 90 51 64, 1500 80 51 40,
        1500 \(on), 2000 \(off)
        """, sound: "1200 0 1200 0 -"),
  ]

  private static let packets = [
    SongKind(
      "K5", "three packets, 125 ms apart",
      "0 F0 7F 7F, 120 F7 04 04, 120 F7 00 42 F7, 240 \(on), 480 \(off)",
      sent: "0 F0 7F 7F, 125 04 04, 250 00 42 F7, 500 \(on), 1000 \(off)", sound: "- 200 -"),
    SongKind(
      "K5", "a note between two packets",
      "0 \(on), 0 F0 7F 7F 04 04, 480 \(off), 0 F7 00 42 F7, 0 \(on), 480 \(off)",
      sent: "0 \(on), 500 \(off), 500 \(tuned), 500 \(on), 1000 \(off)", sound: "0 200 -"),
    SongKind(
      "K5", "one that never ends, then a whole one",
      "0 F0 7F 7F 04, 240 \(tuned), 240 \(on), 480 \(off)",
      sent: "250 \(tuned), 500 \(on), 1000 \(off)", sound: "- 200 -"),
    SongKind(
      "K5", "a bend in an escape", "0 F7 \(top), 480 \(on), 480 \(off)",
      sent: "0 \(top), 500 \(on), 1000 \(off)", sound: "- 200 -"),
    SongKind(
      "K5", "a SysEx in an escape", "0 F7 \(tuned), 480 \(on), 480 \(off)",
      sent: "0 \(tuned), 500 \(on), 1000 \(off)", sound: "- 200 -"),
    SongKind(
      "K5", "packets at a loop",
      "0 \(on), 480 \(off), 0 F0 7F 7F 04 04, 0 F7 00 42 F7, 0 \(on), 480 \(off)",
      way: .twice,
      sent: """
        0 \(on), 500 \(off), 500 F0 7F 7F 04 04, 500 00 42 F7, 500 \(on), 1000 \(off),
        1000 \(untuned), 1000 \(on), 1500 \(off), 1500 F0 7F 7F 04 04, 1500 00 42 F7, 1500 \(on),
        2000 \(off)
        """, sound: "0 200 0 200 -"),
    SongKind(
      "K5", "packets before the start",
      "0 F0 7F 7F 04 04, 10 F7 00 42 F7, 950 \(on), 480 \(off)",
      way: .from(960), sent: "0 \(tuned), 0 \(on), 500 \(off)", sound: "200 -"),
  ]

  private static let xgKit = "0 \(xg), 10 B1 00 7F, 0 C1 01, 470 91 45 64, 480 81 45 40"
  private static let gm2Kit = "0 \(gm2), 10 B2 00 78, 0 C2 00, 470 92 45 64, 480 82 45 40"
  private static let gsKit =
    "0 \(gs), 10 F0 41 10 42 12 40 12 15 01 18 F7, 0 C1 01, 470 91 45 64, 480 81 45 40"
  private static let melodic =
    "0 \(gs), 10 F0 41 10 42 12 40 10 15 00 1B F7, 0 C9 01, 470 99 45 64, 480 89 45 40"
  /// A kit, then a melody.
  private static let mixed =
    "0 \(gs), 0 F0 41 10 42 12 40 12 15 02 17 F7, 480 91 51 64, 480 81 51 40, 0 \(on), 480 \(off)"

  private static let banks = [
    SongKind(
      "K7", "a bank that waits for its program outlives a reset",
      "0 B1 00 7F, 0 \(xg), 10 C1 01, 470 91 45 64, 480 81 45 40", sound: "- 0 -"),
    SongKind(
      "K7", "a bank that waits for its program outlives a reset, after a seek",
      "0 B1 00 7F, 0 \(xg), 10 C1 01, 950 91 45 64, 480 81 45 40", way: .from(960),
      sent: "0 \(xg), 0 B1 00 7F, 0 C1 01, 0 91 45 64, 500 81 45 40", sound: "0 -"),
    SongKind(
      "K7", "XG: MSB 121 is not a kit", "0 \(xg), 10 B1 00 79, 0 C1 01, 470 91 45 64, 480 81 45 40",
      sound: "- 1200 -"),
    SongKind(
      "K7", "an XG rhythm part stays one at a program",
      "0 \(xg), 10 F0 43 10 4C 08 01 07 02 F7, 0 C1 01, 470 91 45 64, 480 81 45 40",
      sound: "- 0 -"),
    SongKind(
      "K7", "GM2: MSB 8 leaves channel 10 its drums",
      "0 \(gm2), 10 B9 00 08, 0 C9 01, 470 99 45 64, 480 89 45 40", sound: "- 0 -"),
  ]

  private static let drums = [
    SongKind("K9", "an XG kit", xgKit, sound: "- 0 -"),
    SongKind("K9", "a GM2 kit", gm2Kit, sound: "- 0 -"),
    SongKind("K9", "a GS rhythm part", gsKit, sound: "- 0 -"),
    SongKind("K9", "a melodic channel 10", melodic, sound: "- 1200 -"),
    SongKind("K9", "an XG kit is not transposed", xgKit, way: .transposed, sound: "- 0 -"),
    SongKind("K9", "a GM2 kit is not transposed", gm2Kit, way: .transposed, sound: "- 0 -"),
    SongKind(
      "K9", "a melodic channel 10 is transposed", melodic,
      way: .transposed,
      sent: """
        0 \(gs), 10 F0 41 10 42 12 40 10 15 00 1B F7, 10 C9 01, 500 99 47 64, 1000 89 47 40
        """, sound: "- 1400 -"),
    SongKind(
      "K9", "a melodic channel 10 is not drums", melodic, way: .withoutDrums, sound: "- 1200 -"),
    SongKind(
      "K9", "a GS rhythm part is left out", mixed,
      way: .withoutDrums,
      sent: """
        0 \(gs), 0 F0 41 10 42 12 40 12 15 02 17 F7, 1000 \(on), 1500 \(off)
        """, sound: "- - 0 -"),
  ]

  /// A note, a loop of a note, and a note.
  private static func loop(_ name: String, _ start: String, _ end: String, sent: String) -> SongKind
  {
    SongKind(
      "K17", name,
      """
      0 90 3C 64, 240 80 3C 40, 240 \(start), 0 90 48 64, 240 80 48 40, 240 \(end), 0 90 30 64,
      240 80 30 40
      """, way: .fileLoop, sent: sent, sound: "-900 - 300 - 300 - -2100 -", stretch: 250)
  }

  private static let ends = [
    loop(
      "CC 110 and 111 of value 127", "B0 6E 7F", "B0 6F 7F",
      sent: """
        0 90 3C 64, 250 80 3C 40, 500 B0 6E 7F, 500 90 48 64, 750 80 48 40, 1000 B0 6E 00,
        1000 B0 6E 7F, 1000 90 48 64, 1250 80 48 40, 1500 B0 6F 7F, 1500 90 30 64, 1750 80 30 40
        """),
    loop(
      "CC 116 and 117", "B0 74 00", "B0 75 7F",
      sent: """
        0 90 3C 64, 250 80 3C 40, 500 B0 74 00, 500 90 48 64, 750 80 48 40, 1000 B0 74 00,
        1000 90 48 64, 1250 80 48 40, 1500 B0 75 7F, 1500 90 30 64, 1750 80 30 40
        """),
    loop(
      "markers", "FF 06 6C 6F 6F 70 53 74 61 72 74", "FF 06 6C 6F 6F 70 45 6E 64",
      sent: """
        0 90 3C 64, 250 80 3C 40, 500 90 48 64, 750 80 48 40, 1000 90 48 64, 1250 80 48 40,
        1500 90 30 64, 1750 80 30 40
        """),
    SongKind(
      "K17", "CC 111 alone",
      "0 90 3C 64, 240 80 3C 40, 240 B0 6F 00, 0 90 48 64, 240 80 48 40, 240 FF 01",
      way: .fileLoop,
      sent: """
        0 90 3C 64, 250 80 3C 40, 500 B0 6F 00, 500 90 48 64, 750 80 48 40, 1000 B0 6F 00,
        1000 90 48 64, 1250 80 48 40
        """, sound: "-900 - 300 - 300 -", stretch: 250),
    SongKind(
      "K17", "nothing loops unasked",
      "0 90 3C 64, 240 80 3C 40, 240 B0 6E 00, 0 90 48 64, 240 80 48 40, 240 B0 6F 00, 0 90 30 64, 240 80 30 40",
      sound: "-900 - 300 - -2100 -", stretch: 250, end: 1250),
    SongKind(
      "K17", "data decrement",
      "0 B0 65 00, 0 B0 64 00, 0 B0 06 04, 0 B0 61 00, 0 \(top), 0 \(on), 480 \(off)",
      sound: "300 -"),
    SongKind(
      "K17", "data increment of the tuning",
      "0 B0 65 00, 0 B0 64 02, 0 B0 06 40, 0 B0 60 00, 0 \(on), 480 \(off)", sound: "100 -"),
    SongKind(
      "K17", "three data increments",
      """
      0 B0 65 00, 0 B0 64 00, 0 B0 06 02, 0 B0 60 00, 0 B0 60 00, 0 B0 60 00, 0 \(top), 0 \(on),
      480 \(off)
      """, sound: "500 -"),
    SongKind("K17", "a late text", "0 \(on), 480 \(off), 960 FF 01", sound: "0 - -", end: 500),
    SongKind(
      "K17", "a pedal lifted late", "0 B0 40 7F, 0 \(on), 480 \(off), 480 B0 40 00, 480 FF 01",
      sound: "0 0 -", end: 1000),
    SongKind(
      "K17", "a pedal never lifted", "0 B0 40 7F, 0 \(on), 480 \(off), 960 FF 01",
      sent: "0 B0 40 7F, 0 \(on), 500 \(off), 1500 B0 40 00", sound: "0 0 0 -", end: 1500),
  ]

  private static let sought = [
    SongKind(
      "K19", "coarse tuning",
      "0 B0 65 00, 0 B0 64 02, 0 B0 06 42, 960 \(on), 480 \(off)",
      way: .from(960), sent: "0 B0 65 00, 0 B0 64 02, 0 B0 06 42, 0 \(on), 500 \(off)",
      sound: "200 -"),
    SongKind(
      "K19", "a bend range in cents, and a bend",
      "0 B0 65 00, 0 B0 64 00, 0 B0 06 00, 0 B0 26 32, 0 \(top), 960 \(on), 480 \(off)",
      way: .from(960),
      sent: """
        0 B0 65 00, 0 B0 64 00, 0 B0 06 00, 0 B0 26 32, 0 \(top), 0 \(on), 500 \(off)
        """, sound: "50 -"),
    SongKind(
      "K19", "data increment and a bend",
      "0 B0 65 00, 0 B0 64 00, 0 B0 06 02, 0 B0 60 00, 0 \(top), 960 \(on), 480 \(off)",
      way: .from(960),
      sent: "0 B0 65 00, 0 B0 64 00, 0 B0 06 02, 0 B0 60 00, 0 \(top), 0 \(on), 500 \(off)",
      sound: "300 -"),
    SongKind(
      "K19", "a reset after a bend", "0 \(top), 0 \(gm), 960 \(on), 480 \(off)",
      way: .from(960), sent: "0 \(gm), 0 \(on), 500 \(off)", sound: "0 -"),
    SongKind(
      "K19", "master tuning", "0 \(tuned), 960 \(on), 480 \(off)",
      way: .from(960), sent: "0 \(tuned), 0 \(on), 500 \(off)", sound: "200 -"),
    SongKind(
      "K19", "a pedal that is down",
      "0 B0 40 7F, 0 90 51 64, 240 80 51 40, 720 \(on), 240 \(off), 480 B0 40 00",
      way: .from(960), sent: "0 B0 40 7F, 0 \(on), 250 \(off), 750 B0 40 00", sound: "0 0 0 -",
      stretch: 250),
  ]
}
