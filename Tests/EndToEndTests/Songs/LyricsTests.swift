// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct LyricsTests {
  private typealias Songs = TestSupport.SongBytes

  /// A song of texts of one type, 480 ticks apart: half a second each.
  private func song(_ type: UInt8, _ words: [[UInt8]], every ticks: Int = 480) -> [UInt8] {
    Songs.file(
      words.enumerated().map { index, word in
        (index == 0 ? 0 : ticks, [0xFF, type, UInt8(word.count)] + word)
      })
  }

  private func song(_ type: UInt8, _ words: [String], every ticks: Int = 480) -> [UInt8] {
    song(type, words.map { Array($0.utf8) }, every: ticks)
  }

  private func lyrics(_ song: [UInt8], _ flags: [String] = []) throws -> CommandRun {
    try CommandRun(["lyrics"] + flags + ["-"], input: Data(song))
  }

  private var karaoke: [UInt8] {
    song(
      1,
      [
        "@KMIDI KARAOKE FILE", "@LENGL", "@TDaisy Bell", "@THarry Dacre", "\\Dai", "sy, ", "/give ",
        "me", "\\I'm ", "half",
      ])
  }

  @Test func `a Karaoke file has lines at slashes and paragraphs at backslashes`() throws {
    let run = try lyrics(karaoke)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.text == "Daisy,\ngive me\n\nI'm half\n")
  }

  @Test func `LRC has the titles and a time for each line, or each syllable`() throws {
    #expect(
      try lyrics(karaoke, ["--lrc"]).text == """
        [ti:Daisy Bell]
        [ar:Harry Dacre]
        [00:02.00]Daisy,
        [00:03.00]give me
        [00:04.00]I'm half

        """)
    let syllables = try lyrics(karaoke, ["--lrc", "--syllables"])
    #expect(syllables.text.contains("[00:02.00]<00:02.00>Dai<00:02.50>sy, \n"))
  }

  @Test func `a subtitle ends at the start of the next one, the last after three seconds`() throws {
    #expect(
      try lyrics(karaoke, ["--srt"]).text == """
        1
        00:00:02,000 --> 00:00:03,000
        Daisy,

        2
        00:00:03,000 --> 00:00:04,000
        give me

        3
        00:00:04,000 --> 00:00:07,500
        I'm half


        """)
  }

  @Test func `lyric events end a line with a return and a paragraph with a line feed`() throws {
    let marked = song(5, ["{@LATIN}A ", "b\r", "c ", "d\n", "e"])
    #expect(try lyrics(marked).text == "A b\nc d\n\ne\n")
  }

  @Test func `syllables without spaces are joined at hyphens, and pauses end lines`() throws {
    let words = Songs.file([
      (0, [0xFF, 5, 4] + Array("Dai-".utf8)), (480, [0xFF, 5, 3] + Array("sy,".utf8)),
      (480, [0xFF, 5, 4] + Array("give".utf8)), (1440, [0xFF, 5, 2] + Array("me".utf8)),
    ])
    #expect(try lyrics(words).text == "Daisy, give\nme\n")
  }

  @Test(arguments: [
    ([0xE9, 0x74, 0xE9] as [UInt8], [] as [String], "été"),
    (Array("été".utf8), [], "été"),
    // 桜の花 in Shift-JIS.
    ([0x8D, 0xF7, 0x82, 0xCC, 0x89, 0xD4], [], "桜の花"),
    ([0xF7, 0xE1], ["--encoding", "koi8-r"], "ВА"),
    ([0x8D, 0xF7], ["--encoding", "shift-jis"], "桜"),
    ([0xE9], ["--encoding", "latin1"], "é"),
  ]) func `encodings are detected or named`(bytes: [UInt8], flags: [String], text: String) throws {
    let run = try lyrics(song(5, [bytes]), flags)
    #expect(run.status == 0)
    #expect(run.text == text + "\n")
  }

  @Test(
    arguments: [
      (["--lrc", "--srt"], 64, "cannot be used together"),
      (["--syllables"], 64, "--syllables: applies only to --lrc (add --lrc)"),
      (["--track", "0"], 64, "tracks are numbered from 1"),
      (["--encoding", "klingon"], 64, "--encoding klingon: unknown encoding"),
      (["--track", "2"], 65, "contains no lyrics"),
    ] as [([String], Int32, String)])
  func `impossible options are reported in one line`(
    flags: [String], status: Int32, message: String
  ) throws {
    let run = try lyrics(karaoke, flags)
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `the status is 65 without lyrics, 66 without a file, and 3 after repairs`() throws {
    let silent = try lyrics(Songs.notes(1, every: 480))
    #expect(silent.status == 65)
    #expect(silent.errors.hasPrefix("downbeat: standard input: contains no lyrics"))
    #expect(try CommandRun(["lyrics", "no-such.kar"]).status == 66)
    let cut = try lyrics(Array(karaoke.dropLast(4)))
    #expect(cut.status == 3)
    #expect(cut.text.hasSuffix("I'm half\n"))
  }
}
