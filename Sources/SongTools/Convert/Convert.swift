// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import CommandOptions
internal import Glibc
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat convert`, which converts times between formats.
package struct Convert: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert times between bars, ticks, seconds, samples and SMPTE time code.",
    discussion: """
      EXAMPLES:
        downbeat convert 1:30
        downbeat convert 12.3.240 --tempo 125 --to seconds
        downbeat convert 01:00:00:00 --fps 29.97df --to samples
        downbeat convert --song song.mid 50% @chorus --to bbt
        downbeat convert 48000@44.1k --to smpte --fps 25 --subframes 80
        downbeat convert 4b --tempo 90 --meter 6/8 --bar-one-at 1b
        downbeat convert 1/3s --to ns --round ceil
        downbeat convert 7/3q --to seconds --exact
        seq 0 480 4800 | downbeat convert --from ticks --to ns
        downbeat convert 1/8d --tempo 125 --to ms
        downbeat convert 480ms --to bpm
        downbeat convert '1:30 + 4|0|0' --to sec --to smpte
        downbeat convert --song song.mid --table 8
        downbeat convert --clock studio now 17.1.0 --to host
        downbeat convert --ltc take.wav 01:00:10:00 --to samples

      TIMES:
        33  33.1  '33 s'                    seconds
        12|3|240  12.3.240  12|3|240/480    bar, beat, part of a beat
        'bar 33'  'bar 33 beat 2'  16bars   bar numbers (from 1); a length in bars
        01:02:03:12  01:02:03;12            time code; ; means drop-frame
        01:02:03:12.40/80@29.97df           time code with subframes and rate
        1:30  1:02:03.5  3m25.5s  250ms     clock time; h m s ms us ns
        48000@48k  48000smp                 samples
        1920t@480  4.5b  7/3q  48clk        ticks, quarter notes, MIDI clocks
        100f@25  125bpm  480000us/q         frames, tempo
        1/8  1/8d  1/8.  1/4t               note values: plain, dotted, triplet
        50%  @marker  now                   part of a song; a marker; a clock's time
        bbt:12.3  tick:1920                 a plain number with its format
        '1:30 + 4|0|0'  '@coda - 1/8.'      a time plus lengths (4|0|0: four bars)
      Numbers can be fractions, such as 1001/30000s.

      In a sum, bars, beats, ticks and note values are added in musical time, at the position \
      reached so far; all other units are added in seconds. With --to ms, a tempo becomes the \
      length of its quarter note; with --to bpm, a length becomes the tempo whose quarter note has \
      that length. If --to is repeated, the results are on one line, separated by two spaces.

      In a shell, quote | and ;, or write 12.3.240 and 01:02:03:12@29.97df.

      Time code, frames, song positions and MIDI clocks are rounded down, other formats to the \
      nearest value, unless --round is set. ≈ marks rounded values.

      EXIT STATUS: 0 success, 3 some of the times could not be converted, 4 the result is not \
      exact (with --round exact), 64 not a time, 65 not a MIDI file, 66 input not found, 74 write \
      error.
      """)

  // All arguments that are not options are accepted, because a time may begin with a minus sign.
  @Argument(
    parsing: .allUnrecognized,
    help: "Times to convert; - reads them from standard input, one per line.")
  package var times: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print only this format: bbt beats ticks clock seconds min ms us ns samples smpte frames"
        + " host spp clocks mtc bpm us/q; repeatable.", valueName: "format"))
  package var to: [String] = []

  @Option(help: "Unit of numbers without a unit: ticks, ns, samples, beats … Default: seconds.")
  package var from: String?

  @OptionGroup package var setting: ConvertSetting
  @OptionGroup package var texts: TextOptions

  @Option(help: "Rounding: floor, ceil, nearest, or exact (fail instead of rounding).")
  var round: String?

  @Flag(help: "Print numbers as exact fractions.")
  var exact = false

  @Flag(help: "Print results that need no quotes in a shell.")
  var shellSafe = false

  @Flag(help: "Print one JSON document.")
  package var json = false

  @Flag(help: "Print one JSON document per line.")
  package var jsonl = false

  @Flag(help: "Read times from standard input, one per line.")
  var batch = false

  @Option(help: "Print a table: a line for each of N bars, or for each second of a time (30s).")
  package var table: String?

  package mutating func validate() throws {
    // Every argument after `--` is a time.
    let end = times.firstIndex(of: "--")
    for time in times[..<(end ?? times.endIndex)] where time.hasPrefix("-") && time != "-" {
      let second = time.dropFirst().first
      guard let second, second.isNumber || second == "." else {
        throw ValidationError("Unknown option '\(time)'")
      }
    }
    if let end { times.remove(at: end) }
    times = Self.joined(times)
    try refuseSongs()
  }

  /// Reports an error if one of the times is the name of a song, as in `convert 1:30 song.mid`.
  private func refuseSongs() throws {
    let file = times.first { $0.first != "@" && ListedFiles.songs.holds($0) }
    guard let file else { return }
    let rest = ["--song \(file)"] + times.filter { $0 != file }.prefix(1)
    throw ValidationError(
      "\(file): a song, not a time (try downbeat convert \(rest.joined(separator: " ")))")
  }

  /// Joins the words of a time that was typed without quotes, such as `1:30 + 4b`, `90 s` and
  /// `bar 33 beat 2`.
  private static func joined(_ words: [String]) -> [String] {
    var times: [String] = []
    var isOpen = false
    for (index, word) in words.enumerated() {
      let isSign = ["+", "-"].contains(word) && index > 0 && index + 1 < words.count
      let isBeat = word == "beat" && times.last?.hasPrefix("bar ") == true
      if let last = times.last, isSign || isBeat || isOpen || isUnit(word, after: last) {
        times[times.count - 1] = "\(last) \(word)"
      } else {
        times.append(word)
      }
      isOpen = isSign || isBeat || word == "bar"
    }
    return times
  }

  /// Returns true if a word is the unit of the number before it.
  private static func isUnit(_ word: String, after last: String) -> Bool {
    guard last.last?.isNumber == true, word.first?.isLetter == true else { return false }
    do {
      _ = try TimeExpression("1\(word)")
      return true
    } catch {
      return false
    }
  }

  package func run() throws {
    let status = try convert()
    if status != .success { throw status }
  }

  private func convert() throws -> ExitStatus {
    try texts.apply()
    let request = try ConvertRequest(self)
    if let table { return try ConvertTable(request, length: table).write() }
    if setting.clock != nil, times.isEmpty, !batch {
      return try ConvertReport.write(["now"], request)
    }
    let isPiped = times.isEmpty && isatty(Console.current.inputDescriptor) == 0
    if batch || isPiped || times == ["-"] { return try ConvertBatch.run(request) }
    guard !times.isEmpty else {
      throw Failure(.usage, "no time to convert (try downbeat convert 1:30)")
    }
    return try ConvertReport.write(times, request)
  }
}
