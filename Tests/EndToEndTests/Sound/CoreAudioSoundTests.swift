// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Core Audio Format files, markers and tempos in `sound info` and `sound convert`.
@Suite struct CoreAudioSoundTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: String...) throws -> CommandRun {
    try CommandRun(["sound"] + words, folder: folder.url)
  }

  private func document(_ name: String) throws -> [String: Any] {
    let run = try run("info", "--json", name)
    #expect(run.status == 0, "\(run.errors)")
    if SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: run.output, in: "sound-info") == "")
    }
    return try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  /// A second of a tone, with a region, a marker, a loop and a tempo.
  private func writeMarked() throws {
    var file = CAFBytes()
    file.hertz = 48_000
    file.sound = (0..<96_000).flatMap { index in
      CAFBytes.number(Int16(3000 * sin(Double(index / 2) / 20)))
    }
    let region = { (number: UInt32, flags: UInt32, start: Double, end: Double) in
      CAFBytes.number(number) + CAFBytes.number(flags) + CAFBytes.number(UInt32(2))
        + CAFBytes.marker(number, start) + CAFBytes.marker(number, end)
    }
    let zero = CAFBytes.number(UInt32(0))
    file.behind = [
      CAFBytes.chunk(
        "mark", zero + CAFBytes.number(UInt32(1)) + CAFBytes.marker(1, 100)),
      CAFBytes.chunk(
        "regn",
        zero + CAFBytes.number(UInt32(2)) + region(2, 2, 10, 20) + region(3, 3, 1000, 2000)),
      CAFBytes.names([(1, "start"), (2, "verse")]),
      CAFBytes.chunk(
        "info",
        CAFBytes.texts([
          ("title", "A title"), ("album", "All"), ("tempo", "120"), ("time signature", "4/4"),
          ("composer", "Anna"),
        ])),
      CAFBytes.chunk("midi", Array("MThd".utf8)),
    ]
    try folder.write(file.bytes, to: "marked.caf")
  }

  @Test func `info shows markers, regions, the tempo and texts of CAF`() throws {
    try writeMarked()
    let words = try run("info", "marked.caf").text
    #expect(
      words.hasPrefix(
        """
        marked.caf: CAF (Apple Core Audio File), Signed 16 bit PCM
          rate         48000 Hz
          channels     2, stereo
          length       1.000000 s (48000 frames)
          key          60
          tempo        120.0 beats per minute, 4/4
          MIDI file    4 bytes
          title        A title
          album        All
          composer     Anna
          markers      100 start
          regions      10 to 20 verse
          loops        1000 to 2000, forward, forever

        """), "\(words)")
    let told = try document("marked.caf")
    #expect((told["strings"] as? [String: String]) == ["composer": "Anna"])
    let regions = try #require(told["regions"] as? [[String: Any]])
    #expect(regions.first?["name"] as? String == "verse" && regions.first?["to"] as? Int == 20)
    #expect(told["midiBytes"] as? Int == 4)
  }

  @Test func `a conversion names in one line what the new format does not store`() throws {
    try writeMarked()
    let lost = try run("convert", "marked.caf", "-o", "a.aiff")
    #expect(lost.status == 0)
    #expect(
      lost.errors
        == "downbeat: a.aiff: not copied, because .aiff files do not store it:"
        + " album, composer, 1 region, tempo, MIDI file\n", "\(lost.errors)")
    #expect(try run("convert", "marked.caf", "-o", "b.aiff", "-q").errors.isEmpty)
    let json = try run("convert", "marked.caf", "-o", "c.wav", "--json")
    let told = try #require(JSONSerialization.jsonObject(with: json.output) as? [String: Any])
    #expect(told["lost"] as? [String] == ["composer", "MIDI file"])
    if SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: json.output, in: "report") == "")
    }
    let kept = try run("convert", "marked.caf", "-o", "d.caf")
    #expect(kept.status == 0 && kept.errors.isEmpty, "\(kept.errors)")
    #expect(try document("d.caf")["regions"] as? [[String: Any]] != nil)
    let markers = try #require(document("c.wav")["markers"] as? [[String: Any]])
    #expect(markers.first?["name"] as? String == "start")
  }

  private static let isProbed = FileManager.default.fileExists(atPath: "/usr/bin/ffprobe")

  @Test(
    .enabled(if: isProbed, "no ffprobe (make setup-test)"),
    arguments: [("aac", "aac"), ("alac", "alac"), ("alac24", "alac"), ("ima4", "adpcm_ima_qt")])
  func `bits select the codec of CAF`(bits: String, codec: String) throws {
    try writeMarked()
    let made = try run("convert", "marked.caf", "-o", "a.caf", "--bits", bits)
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    let told = try document("a.caf")
    #expect(told["frames"] as? Int == 48_000 && told["bits"] as? String == bits)
    #expect((told["markers"] as? [[String: Any]])?.count == 1)
    let probe = try ToolRun(
      [
        "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", folder.path("a.caf"),
      ],
      command: "/usr/bin/ffprobe")
    #expect(probe.text == "\(codec)\n")
  }

  @Test func `a byte order is for formats that have one`() throws {
    try writeMarked()
    for order in ["little", "big"] {
      let made = try run(
        "convert", "marked.caf", "-o", "\(order).caf", "--byte-order", order)
      #expect(made.status == 0, "\(made.errors)")
      let flags = try folder.bytes("\(order).caf")[35]
      #expect(flags & 2 == (order == "little" ? 2 : 0))
    }
    let refused = try run("convert", "marked.caf", "-o", "a.flac", "--byte-order", "little")
    #expect(refused.status != 0)
    #expect(refused.errors.contains("a.flac: the byte order of this format cannot be chosen"))
    #expect(try run("convert", "marked.caf", "-o", "a.caf", "--byte-order", "x").status == 64)
    #expect(try !folder.names().contains("a.flac"))
  }

  @Test func `formats lists codecs of speech, and encodings of CAF`() throws {
    let text = try CommandRun(["sound", "formats"]).text
    for name in ["iLBC", "GSM 6.10", "AMR-NB", "AMR-WB", "IMA ADPCM", "alac24 ima4"] {
      #expect(text.contains(name), "\(name)")
    }
  }
}
