// SPDX-License-Identifier: Apache-2.0
import ScoreNotation
import Testing

@Suite struct ScoreErrorTests {
  private func failure(_ text: String) -> ScoreError? {
    do {
      _ = try ScoreReader().read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("p: c4 h4", 1, 7), ("p: c4\n  d4 x", 2, 6), ("c4 d4", 1, 1), ("tempo fast", 1, 7),
    ("tempo 120\n\nmeter 4/5", 3, 7), ("p: c4/7", 1, 4), ("p: (c4 d4", 1, 4),
    ("p: c4/4 | d4", 1, 9), ("drums: kick xyx", 1, 13), ("p: $riff", 1, 4),
    ("def a x = $x; p: $a", 1, 18), ("p: @pan 200", 1, 9), ("p: @nothing 3", 1, 4),
    ("p: ~/4", 1, 4), ("p: c4!200", 1, 4), ("title \"open", 1, 7), ("p: [c4 e4", 1, 4),
    ("p: g10", 1, 4), ("p: )", 1, 4), ("def a = c4; def a = d4", 1, 17), ("ppqn 0", 1, 6),
    ("p: @bend 3", 1, 10), ("p: c4/0", 1, 4), ("p: [] ", 1, 4), ("key H", 1, 5),
    ("p: (c4)*0", 1, 8), ("p: @program", 1, 4), ("p: v0", 1, 4), ("p: c4/4/4", 1, 4),
    ("smpte 25", 1, 1), ("smpte 29 40", 1, 1), ("tempo 97; smpte 25 40", 1, 11),
    ("smpte 25 40; tempo 120", 1, 20), ("smpte 25 40; p: @tempo 90", 1, 24),
    ("p: c4; smpte 25 40", 1, 8), ("format 3", 1, 8), ("pattern \"a\"", 1, 1),
    ("format 2; p: c4; pattern \"a\"", 1, 18), ("p: @sing la", 1, 10),
    ("p: @sing \"a b\" c4 @sing \"c\"", 1, 25), ("p: @parameter 0 x", 1, 17),
    ("p: @unit panner", 1, 10),
  ])
  func `a mistake is found at its line and column`(
    text: String, line: Int, column: Int
  ) throws {
    let error = try #require(failure(text))
    #expect((error.line, error.column) == (line, column), "\(error)")
    #expect(!error.allowed.isEmpty)
  }

  @Test func `more than 1024 parts, or words than a score may have, are refused`() throws {
    let parts = (0..<1024).map { "p\($0): c4\n" }.joined()
    #expect(failure(parts + "p0: d4\n") == nil)
    let part = try #require(failure(parts + "q: c4\n"))
    #expect(part.line == 1025 && part.problem == "is one part too many")
    let long = try #require(failure("def a = " + String(repeating: "c ", count: 900_000)))
    #expect(long.problem == "makes the score too long" && long.column == 8 + 2 * 899_997 + 1)
  }

  @Test func `the sentence names place, thing, cause and remedy`() {
    #expect(
      failure("p: @pan 200")?.description
        == "line 1, column 9: '200' is not a valid value: 0…127; 90/1 changes gradually over a length"
    )
  }

  @Test func `repeats of repeats end in an error, not in a full memory`() {
    var text = "def a0 = c4/64\n"
    for level in 1...9 { text += "def a\(level) = $a\(level - 1)*1000\n" }
    #expect(failure(text + "p: $a9")?.problem == "makes the score too long")
    #expect(failure("p: ((@volume 0/1*1000 @volume 9/1*1000)*1000)*1000") != nil)
  }

  @Test func `a phrase that plays itself is refused`() {
    #expect(failure("def a = c4 $a; p: $a")?.problem == "is nested too deeply")
  }

  @Test func `deep brackets are refused, not followed`() {
    let text =
      "p: " + String(repeating: "(", count: 5000) + "c4" + String(repeating: ")", count: 5000)
    #expect(failure(text)?.problem == "is nested too deeply")
  }

  @Test func `no text makes it trap`() {
    let words = [
      "p:", "drums:", "c4", "/8", "(", ")", "{", "}", "&", "|", "[", "]", "$a", "def", "a", "=",
      "*9", "*999", "~/4", "kick", "x-X9", "@tempo", "@bend", "9", "-2", "v9", "v90/1", "tempo",
      "\"", "\n", "#", ";", "r/1", "@swing", "75/2", "@human", "@meter", "1/32768", "ppqn", "1",
      "smpte",
      "format", "2", "pattern", "@sing", "@parameter",
      "c/4096", "b-1", "@transpose", "-60", "@step", "/2", "@cc", "/1*1000",
    ]
    var state: UInt64 = 1
    for _ in 0..<3000 {
      var text = "p: "
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += words[Int(state >> 33) % words.count] + (state >> 40 & 3 == 0 ? "" : " ")
      }
      _ = failure(text)
    }
  }
}
