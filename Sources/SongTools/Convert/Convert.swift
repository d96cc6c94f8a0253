// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import CommandOptions
internal import Glibc
internal import PlayerControl
internal import PlayerViews

/// `downbeat convert`: one time in every domain.
package struct Convert: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Convert times between bars, ticks, seconds, samples and SMPTE labels.",
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
        33  33.1                            seconds
        12|3|240  12.3.240  12|3|240/480    bar, beat, part of a beat
        'bar 33'  'bar 33 beat 2'  16bars   bars, counted from 1; a length of bars
        01:02:03:12  01:02:03;12            label; ; means drop-frame
        01:02:03:12.40/80@29.97df           label with subframes and rate
        1:30  1:02:03.5  3m25.5s  250ms     clock time; h m s ms us ns
        48000@48k  48000smp                 samples
        1920t@480  4.5b  7/3q  48clk        ticks, quarter notes, MIDI clocks
        100f@25  125bpm  480000us/q         frames, tempo
        1/8  1/8d  1/8.  1/4t               note values: dotted, of a triplet
        50%  @marker  now                   of a song, of a clock
        bbt:12.3  tick:1920                 a bare number after its format
        '1:30 + 4|0|0'  '@coda - 1/8.'      a time and lengths, counted from 0
      Fractions such as 1001/30000s are numbers too.

      A sum counts bars, beats, ticks and note values in music, from the place that \
      it has reached, and all else in seconds. With --to ms, a tempo becomes the \
      length of its quarter note; with --to bpm, a length becomes the tempo whose \
      quarter note is as long. With several --to, the answers to one time stand on \
      one line, with two spaces between them.

      In a shell quote | and ; or write 12.3.240 and 01:02:03:12@29.97df.

      Labels, frames, song positions and MIDI clocks round down, the others to
      the nearest, unless --round says otherwise; ≈ marks what was rounded.

      EXIT STATUS: 0 done, 3 some of several times failed, 4 --round exact
      would have had to round, 64 not a time, 65 not MIDI, 66 no input,
      74 failed while writing.
      """)

  // All that is no option of ours, so that a time may begin with a minus.
  @Argument(
    parsing: .allUnrecognized, help: "Times; - reads them from standard input, one a line.")
  package var times: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print only this: bbt beats ticks clock seconds min ms us ns samples smpte frames host spp"
        + " clocks mtc bpm us/q; repeatable.", valueName: "format"))
  package var to: [String] = []

  @Option(help: "What a bare number counts instead of seconds: ticks, ns, samples, beats, frames …")
  package var from: String?

  @OptionGroup package var setting: ConvertSetting
  @OptionGroup package var texts: TextOptions

  @Option(help: "floor, ceil, nearest, or exact to fail rather than round.")
  var round: String?

  @Flag(help: "Numbers as exact fractions.")
  var exact = false

  @Flag(help: "Spell answers so that a shell passes them on.")
  var shellSafe = false

  @Flag(help: "One JSON document.")
  package var json = false

  @Flag(help: "One JSON document a line.")
  package var jsonl = false

  @Flag(help: "Read times from standard input, one a line.")
  var batch = false

  @Option(help: "Print a table of so many bars, or of a duration (30s) second by second.")
  package var table: String?

  package mutating func validate() throws {
    // Everything behind `--` is a time, whatever it looks like.
    let end = times.firstIndex(of: "--")
    for time in times[..<(end ?? times.endIndex)] where time.hasPrefix("-") && time != "-" {
      let second = time.dropFirst().first
      guard let second, second.isNumber || second == "." else {
        throw ValidationError("Unknown option '\(time)'")
      }
    }
    if let end { times.remove(at: end) }
    times = Self.joined(times)
  }

  /// The times, of which some are several words: `1:30 + 4b` and `bar 33 beat 2` without quotes.
  private static func joined(_ words: [String]) -> [String] {
    var times: [String] = []
    var isOpen = false
    for (index, word) in words.enumerated() {
      let isSign = ["+", "-"].contains(word) && index > 0 && index + 1 < words.count
      let isBeat = word == "beat" && times.last?.hasPrefix("bar ") == true
      if let last = times.last, isSign || isBeat || isOpen {
        times[times.count - 1] = "\(last) \(word)"
      } else {
        times.append(word)
      }
      isOpen = isSign || isBeat || word == "bar"
    }
    return times
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
      throw Failure(.usage, "no time to convert: downbeat convert 1:30 (--help shows more)")
    }
    return try ConvertReport.write(times, request)
  }
}
