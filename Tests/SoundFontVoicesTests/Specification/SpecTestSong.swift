// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import SoundFontVoices

/// A song of the SoundFont Spec Test, read from its folder and played with its font.
struct SpecTestSong {
  /// The folder that contains `spec-test`: `DOWNBEAT_FIDELITY`, otherwise next to the package; nil
  /// if missing.
  static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["DOWNBEAT_FIDELITY"].map {
      URL(fileURLWithPath: $0)
    }
    let folder = named ?? ToolRun.packageFolder.appendingPathComponent("../shared/fidelity")
    let song = folder.appendingPathComponent("spec-test/sf_spec_test.mid").path
    return FileManager.default.fileExists(atPath: song) ? folder : nil
  }()

  static var isThere: Bool { folder != nil }

  struct Missing: Error {}

  /// Plays the start of a song.
  ///
  /// - Parameters:
  ///   - name: the song and its font in `spec-test`, without their suffixes.
  ///   - seconds: the length to play.
  /// - Returns: the left side.
  /// - Throws: `Missing`, or the errors of reading.
  static func tone(_ name: String, until seconds: Double) throws -> Tone {
    guard let folder else { throw Missing() }
    let base = folder.appendingPathComponent("spec-test/\(name)").path
    let duet = try Duet(base + ".sf2", hertz: Tone.hertz, polyphony: 1024, gain: 1)
    let sound = duet.ours(
      try cues(base + ".mid"), quanta: Tone.quantum(seconds))
    return Tone(left: sound[0])
  }

  /// The messages of a file, each at its quantum.
  private static func cues(_ path: String) throws -> [Duet.Cue] {
    let bytes = [UInt8](try FileContent.data(path))
    let division = Double(Int(bytes[12]) << 8 | Int(bytes[13]))
    var events: [(tick: Int, bytes: [UInt8])] = []
    var place = 14
    while place + 8 <= bytes.count {
      let length = bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) }
      events += track(bytes[(place + 8)...].prefix(length))
      place += 8 + length
    }
    let order = events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }
    var (seconds, tick, tempo) = (0.0, 0, 0.5)
    var cues: [Duet.Cue] = []
    for (_, event) in order {
      seconds += Double(event.tick - tick) * tempo / division
      tick = event.tick
      let bytes = event.bytes
      if bytes[0] == 0xFF {
        tempo = Double(bytes[1...].reduce(0) { $0 << 8 | Int($1) }) / 1e6
      } else {
        cues.append(
          Duet.Cue(
            Int(seconds * Double(Tone.quanta)), bytes[0], bytes[1],
            bytes.count > 2 ? bytes[2] : 0))
      }
    }
    return cues
  }

  /// The channel messages and the tempos (FF and three bytes) of a track.
  private static func track(_ bytes: ArraySlice<UInt8>) -> [(tick: Int, bytes: [UInt8])] {
    var rest = bytes
    var (tick, status) = (0, UInt8(0))
    var events: [(tick: Int, bytes: [UInt8])] = []
    func number() -> Int {
      var value = 0
      while let byte = rest.popFirst() {
        value = value << 7 | Int(byte & 0x7F)
        if byte < 0x80 { break }
      }
      return value
    }
    while !rest.isEmpty {
      tick += number()
      guard let first = rest.first else { break }
      if first == 0xFF {
        let kind = rest.dropFirst().first
        rest = rest.dropFirst(2)
        let length = number()
        if kind == 0x51 { events.append((tick, [0xFF] + rest.prefix(length))) }
        rest = rest.dropFirst(length)
      } else if first == 0xF0 || first == 0xF7 {
        rest = rest.dropFirst()
        rest = rest.dropFirst(number())
      } else {
        if first >= 0x80 { status = rest.removeFirst() }
        let count = status & 0xE0 == 0xC0 ? 1 : 2
        events.append((tick, [status] + rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
    }
    return events
  }
}
