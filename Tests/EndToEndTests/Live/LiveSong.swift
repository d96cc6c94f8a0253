// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A song of three minutes to be played at a terminal of our own: two channels and drums, four
/// markers, words, a key.
struct LiveSong {
  private let scratch: ScratchFolder
  let path: String
  let font: String

  init(title: String = "Long Song", name: String = "song.mid") throws {
    scratch = try ScratchFolder()
    var events: [(delta: Int, bytes: [UInt8])] = [
      (0, Self.text(3, title)), (0, [0xFF, 0x59, 2, 0xFD, 0]), (0, [0xFF, 0x58, 4, 3, 2, 24, 8]),
      (0, [0xC0, 40]), (0, [0xC1, 56]),
    ]
    // A bar of three quarters is 1440 ticks, 1.5 s.
    for bar in 0..<120 {
      if bar % 30 == 0 { events.append((0, Self.text(6, "Part \(bar / 30 + 1)"))) }
      events.append((0, Self.text(5, "Word \(bar)\r")))
      for status: UInt8 in [0x90, 0x91, 0x99] { events.append((0, [status, 60, 100])) }
      for (index, status) in [UInt8(0x80), 0x81, 0x89].enumerated() {
        events.append((index == 0 ? 1200 : 0, [status, 60, 0]))
      }
      events.append((240, [0xB0, 1, UInt8(bar)]))
    }
    path = try scratch.write(name, SongBytes.file(events))
    font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
  }

  private static func text(_ type: UInt8, _ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(127))
    return [0xFF, type, UInt8(bytes.count)] + bytes
  }

  /// The words that play it: `$0` is the command.
  func words(_ flags: String = "") -> String {
    "\"$0\" play '\(path)' -s '\(font)' --audio null \(flags)"
  }

  /// Plays it on a terminal, and waits for the picture.
  ///
  /// The script waits afterwards, so that what is left can be looked at.
  func played(
    _ flags: String = "", controlsJobs: Bool = true, columns: Int = 80, rows: Int = 30,
    environment: [String: String?] = [:]
  ) throws -> PseudoTerminal {
    let script = "trap : INT; \(words(flags)); echo \"[ended $?]\"; read -r line"
    let terminal = try PseudoTerminal(
      script, columns: columns, rows: rows, environment: environment, controlsJobs: controlsJobs)
    try terminal.wait(for: "the picture") {
      $0.isAlternate && $0.text.contains(" / 3:00") && !$0.text.contains("0:00 /")
    }
    return terminal
  }
}

extension PseudoTerminal {
  /// Seconds from the song's beginning, as they are shown.
  var seconds: Int? {
    look()
    guard let match = picture.text.firstMatch(of: /(\d+):(\d\d) \/ 3:00/) else { return nil }
    return Int(match.1).flatMap { minutes in Int(match.2).map { minutes * 60 + $0 } }
  }

  /// Types, and waits until something is shown.
  func type(_ text: String, until shown: String) throws {
    type(text)
    try wait(for: shown)
  }

  /// Types, and waits until the song is somewhere.
  func type(_ text: String, reaching range: ClosedRange<Int>) throws {
    type(text)
    try wait(for: "\(range) after \(text.debugDescription)") { _ in
      seconds.map(range.contains) ?? false
    }
  }
}
