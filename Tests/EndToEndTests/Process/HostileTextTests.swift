// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Text from outside cannot control the terminal, reverse a line or forge one.
@Suite struct HostileTextTests {
  /// Sets the title, rings, colours, deletes, turns around and begins a line.
  private static let words = "a\u{1B}]0;pwn\u{7}\u{9B}31m\u{7F}\u{202E}\u{2067}\u{2028}\nforged"

  /// SONG, WAVE, FONT and DAMAGED stand for files of hostile names and content, NONE for a missing
  /// one, FOLDER for their folder, WORD for the text itself.
  static let commands = [
    "info SONG", "info DAMAGED", "info NONE", "info WAVE", "info --json SONG", "info --json NONE",
    "check SONG", "check DAMAGED", "check NONE", "check --json SONG", "events SONG",
    "events --jsonl SONG", "events --csv SONG", "events NONE", "events DAMAGED", "lyrics SONG",
    "lyrics --lrc SONG", "lyrics --lrc --syllables SONG", "lyrics --srt SONG", "lyrics DAMAGED",
    "lyrics --encoding WORD SONG", "info --encoding WORD SONG", "events --encoding WORD SONG",
    "plot SONG -o FOLDER/none/WORD.svg", "plot SONG -o WORD",
    "plot SONG -o - --format html", "plot DAMAGED -o - --format svg", "plot WAVE -o FOLDER/w.gif",
    "convert WORD", "convert WORD --json", "convert --to WORD 1",
    "convert --song SONG 1s", "convert --song NONE 1s", "convert --clock WORD now",
    "convert --song SONG @WORD", "convert --table WORD", "convert --batch",
    "convert --batch --to beats", "convert --batch --jsonl",
    "edit SONG --do WORD", "edit SONG --do quantise=WORD", "edit NONE -o FOLDER/x.mid",
    "edit SONG -o FOLDER/none/WORD", "edit DAMAGED -o FOLDER/y.mid",
    "new SONG -o FOLDER/z.mid", "new NONE", "events --import SONG -o FOLDER/w.mid",
    "render SONG -o FOLDER/WORD.wav --soundfont GOOD", "render NONE -o FOLDER/x.wav",
    "render SONG -o FOLDER/none/WORD.wav --soundfont GOOD", "render SONG -o WORD",
    "render SONG -o FOLDER/a.wav --soundfont NONE", "render SONG -o FOLDER/a.wav --soundfont SONG",
    "render SONG -o FOLDER/a.wav --clips SONG --soundfont GOOD", "render SONG --WORD",
    "render SONG -o FOLDER/a.wav --length WORD", "render SONG -o FOLDER/a.wav --tail WORD",
    "play SONG --audio WORD --soundfont GOOD", "play NONE --soundfont GOOD", "WORD", "SONG WORD",
    "play SONG -p WORD", "play SONG --sync WORD", "play SONG --sync clock:WORD", "synth WORD",
    "sound info WAVE", "sound info SONG", "sound info NONE", "sound info --json SONG",
    "sound convert WAVE -o FOLDER/none/WORD.wav", "sound convert SONG -o FOLDER/q.wav",
    "sound play NONE --audio null", "sound play WAVE --audio null --json", "sound alert WORD",
    "sound record -o FOLDER/none/WORD.wav --audio null --length 1s",
    "soundfont list FOLDER", "soundfont list --json FOLDER", "soundfont list WORD",
    "soundfont which", "soundfont which --json", "soundfont presets FONT",
    "soundfont presets --json FONT", "soundfont info FONT", "soundfont info --json FONT",
    "soundfont info SONG", "soundfont check FONT SONG NONE", "soundfont demo --program WORD",
    "soundfont trim FONT --song SONG -o FOLDER/WORD.sf2", "soundfont trim WORD --song SONG -o -",
    "soundfont trim GOOD --song NONE -o FOLDER/t.sf2",
    "soundfont trim GOOD --song SONG -o WORD.mid", "soundfont convert FONT -o FOLDER/WORD2.sf2",
    "soundfont convert SONG -o FOLDER/c.sf2", "soundfont convert GOOD -o WORD",
    "edit SONG --embed --soundfont FONT -o FOLDER/WORD.rmi", "edit SONG --embed -o WORD",
    "ports connect WORD WORD", "monitor -p WORD", "send WORD", "send -p WORD note C4",
    "record -o WORD", "thru WORD WORD", "panic -p WORD", "clock send -p WORD", "clock serve WORD",
    "clock follow --sync WORD", "mtc send -p WORD", "mtc send --from WORD", "graph SONG",
    "graph --form WORD", "help WORD", "WORD WORD", "--WORD", "sound WORD",
  ]

  private let scratch: ScratchFolder
  private let files: [String: String]

  init() throws {
    scratch = try ScratchFolder()
    let words = Array(Self.words.utf8)
    let texts: [(delta: Int, bytes: [UInt8])] = (1...7).map { type in
      (0, [0xFF, type, UInt8(words.count)] + words)
    }
    let title = Array("@T".utf8) + words
    let karaoke = [(0, [0xFF, 1, UInt8(title.count)] + title)] + texts
    let song = SongBytes.file(karaoke + [(0, [0x90, 60, 100]), (480, [0x80, 60, 64])])
    var font = try FileContent.data("\(ToolRun.packageFolder.path)/Soundfonts/Downbeat.sf2")
    font = Self.renamed(font, to: words)
    files = [
      "SONG": try scratch.write("\(Self.words).mid", song),
      "DAMAGED": try scratch.write("\(Self.words)2.mid", Array(song.dropLast(6))),
      "WAVE": try scratch.write("\(Self.words).wav", WaveBytes.click(frames: 480)),
      "FONT": try scratch.write("\(Self.words).sf2", Array(font)),
      "NONE": scratch.path("\(Self.words)3.mid"), "FOLDER": scratch.url.path, "WORD": Self.words,
      "GOOD": "Soundfonts/Downbeat.sf2",
    ]
  }

  /// A soundfont with other words for its name and its presets' names, of the same lengths.
  private static func renamed(_ font: Data, to words: [UInt8]) -> Data {
    var font = font
    for (tag, records, length) in [("INAM", 1, 0), ("phdr", 2, 20)] {
      guard let place = font.range(of: Data(tag.utf8)) else { continue }
      let size = Int(font[place.upperBound])
      for record in 0..<records {
        let start = place.upperBound + 4 + record * 38
        let count = min(length == 0 ? size - 1 : length - 1, words.count)
        font.replaceSubrange(start..<(start + count), with: words[..<count])
      }
    }
    return font
  }

  private func word(_ text: Substring) -> String {
    var text = String(text)
    for (name, value) in files { text = text.replacing(name, with: value) }
    return text
  }

  private func expectTame(_ text: String, _ command: String) {
    let steering = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(steering.isEmpty, "\(command): \(steering.map(\.value)) in \(text.debugDescription)")
    // A line end in a lyric is one on paper too.
    guard !command.hasPrefix("lyrics") else { return }
    let lines = text.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("forged") }, "\(command): \(text.debugDescription)")
  }

  @Test(arguments: commands)
  func `no escape gets through`(command: String) throws {
    let input = Data("\(Self.words)\n\u{1B}[2J\u{9B}1:30\n{\"id\":\"\u{7F}\u{9B}\", 1}\n".utf8)
    let run = try CommandRun(
      command.split(separator: " ").map(word), input: input,
      environment: ["SOUND_FONT": files["FONT"]])
    expectTame(run.text, command)
    expectTame(run.errors, command)
  }
}
