// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
package import Downbeat
package import JSONText
package import PlayerControl
internal import PlayerViews

/// The formats in which the lyrics of a song can be written.
package struct LyricForm {
  package let sheet: LyricSheet

  /// Creates the formats for the lyrics of a song.
  package init(sheet: LyricSheet) {
    self.sheet = sheet
  }

  /// The longest time from the last syllable of a subtitle to its end, in nanoseconds.
  private static let longestStay: Int64 = 3_000_000_000

  /// Plain text, with an empty line before each paragraph.
  package var plain: [String] {
    sheet.lines.flatMap { $0.beginsParagraph ? ["", $0.text] : [$0.text] }
  }

  /// Returns LRC text, with `[mm:ss.xx]` before each line and, if `syllables` is true, `<mm:ss.xx>`
  /// before each syllable.
  package func lrc(syllables: Bool) -> [String] {
    var lines = zip(["ti", "ar"], sheet.titles).map { "[\($0):\($1)]" }
    for line in sheet.lines {
      let words =
        syllables
        ? line.syllables.map { "<\(Self.hundredths($0.nanoseconds))>\($0.text)" }.joined()
        : line.text
      lines.append("[\(Self.hundredths(line.start))]\(words)")
    }
    return lines
  }

  /// SRT text: numbered lines with start and end.
  ///
  /// Each ends at the start of the next one, or earlier.
  package var srt: [String] {
    var lines: [String] = []
    for (index, line) in sheet.lines.enumerated() {
      let stay = line.end + Self.longestStay
      let next = index + 1 < sheet.lines.count ? sheet.lines[index + 1].start : stay
      let end = max(min(next, stay), line.start)
      lines += [
        "\(index + 1)", "\(Self.clock(line.start)) --> \(Self.clock(end))", line.text, "",
      ]
    }
    return lines
  }

  /// Returns a JSON document: the lines in order, with the times of their syllables in seconds from
  /// the start of the song.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - decoder: The decoder that read the texts of the song.
  /// - Returns: The document.
  package func json(of name: String, _ decoder: TextDecoder) -> JSONValue {
    .object([
      ("v", 1), ("type", "lyrics"), ("file", .path(name)),
      ("encoding", .text(decoder.encoding)), ("encodingGuessed", .bool(decoder.isGuessed)),
      ("titles", .array(sheet.titles.map(JSONValue.text))),
      ("lines", .array(sheet.lines.map(Self.json))),
    ])
  }

  private static func json(_ line: LyricSheet.Line) -> JSONValue {
    let syllables = line.syllables.map { syllable in
      JSONValue.object([
        ("sec", .decimal(seconds(syllable.nanoseconds))), ("text", .text(syllable.text)),
      ])
    }
    return .object([
      ("sec", .decimal(seconds(line.start))), ("text", .text(line.text)),
      ("beginsParagraph", .bool(line.beginsParagraph)), ("syllables", .array(syllables)),
    ])
  }

  /// Returns seconds with nine decimals.
  private static func seconds(_ nanoseconds: Int64) -> String {
    "\(nanoseconds / 1_000_000_000).\(String(1_000_000_000 + nanoseconds % 1_000_000_000).dropFirst())"
  }

  /// Returns a time as `mm:ss.xx`, rounded down.
  private static func hundredths(_ nanoseconds: Int64) -> String {
    let value = nanoseconds / 10_000_000
    return "\(two(value / 6000)):\(two(value / 100 % 60)).\(two(value % 100))"
  }

  /// Returns a time as `hh:mm:ss,mmm`, rounded down.
  private static func clock(_ nanoseconds: Int64) -> String {
    let value = nanoseconds / 1_000_000
    let seconds = value / 1000
    let thousandths = String(1000 + value % 1000).dropFirst()
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)),\(thousandths)"
  }

  private static func two(_ value: Int64) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
