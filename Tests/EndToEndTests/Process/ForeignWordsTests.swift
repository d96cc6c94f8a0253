// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Words of other programs, each with the suggestion that its error has.
@Suite struct ForeignWordsTests {
  @Test(arguments: [
    ("song.mid --sf2 x.sf2", "--sf2: unknown option (try --soundfont; downbeat play --help)"),
    ("play song.mid --volume 50", "--volume: unknown option (try --gain; downbeat play --help)"),
    ("song.mid --tempo 120", "try --speed;"), ("song.mid --start 10", "try --from;"),
    ("song.mid --ao alsa", "try --audio;"), ("song.mid --midi-out 20:0", "try --port;"),
    ("song.mid -o x.wav", "try downbeat render song.mid -o x.wav;"),
    ("-F x.wav song.mid", "try downbeat render song.mid -o x.wav;"), ("-l", "downbeat ports list"),
    ("render a.mid -o a.wav -y", "try --overwrite;"), ("info -v", "downbeat --version"),
    ("render a.mid", "the output is missing (add -o OUT.wav"), ("play song.mid --gian 3", "--gain"),
    ("list", "list: not a command (try downbeat ports list"), ("ls", "downbeat devices"),
    ("edit song.mid transpose 2", "downbeat edit song.mid -o edited.mid --do 'transpose 2'"),
    ("edit song.mid -o y.mid transpose 2", "downbeat edit song.mid -o y.mid --do 'transpose 2'"),
    ("render a.mid -o a.wav --rate fast", "--rate"),
    ("new 'c d e f'", "--output is missing (try downbeat new 'c d e f' -o song.mid)"),
  ])
  func `a word of another program is answered with ours`(line: String, part: String) throws {
    let run = try CommandRun(Self.words(of: line))
    #expect(run.status == 64, "\(line): \(run.status)")
    #expect(run.errors.contains(part), "\(line): \(run.errors)")
    #expect(run.errors.hasPrefix("downbeat: ") && run.errors.hasSuffix("\n"))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("mtc send -p 20:0 --fps 59.94", "at most 30 frames a second (use half the rate)"),
    ("ltc send -o x.wav --fps 59.94 --for 1s", "at most 30 are possible (use half the rate)"),
    ("render Songs/canon.mid Songs/groove.mid -o one.flac", "(try --output-dir one)"),
  ])
  func `a request that cannot be met names one that can`(line: String, part: String) throws {
    let run = try CommandRun(Self.words(of: line))
    #expect(run.status == 64 && run.errors.contains(part), "\(run.errors)")
  }

  /// The words of a line in which single quotes hold several together.
  private static func words(of line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      place, part in
      place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }
}
