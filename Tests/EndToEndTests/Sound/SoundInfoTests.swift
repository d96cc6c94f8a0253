// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The report of `sound info` on packets and loudness, compared with ffprobe.
@Suite struct SoundInfoTests {
  private static let isProbed = FileManager.default.fileExists(atPath: "/usr/bin/ffprobe")
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    _ = try folder.write(
      "a.wav",
      WaveBytes.file(frames: 96_000) { frame, channel in
        sin(2 * .pi * 997 * Double(frame) / 48_000) * (channel == 0 ? 0.25 : 0.125)
      })
  }

  private func document(_ words: String...) throws -> [String: Any] {
    let run = try CommandRun(["sound", "info", "--json"] + words, folder: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.text.utf8))
    return try #require(object as? [String: Any])
  }

  private func make(_ name: String) throws {
    #expect(
      try CommandRun(["sound", "convert", "a.wav", "-o", name], folder: folder.url).status == 0)
  }

  @Test func `a MIDI file is recognised, and a missing file has the same words everywhere`() throws
  {
    _ = try folder.write("song.mid", SongBytes.notes(1, every: 480))
    _ = try folder.write("song.rmi", Array("RIFF".utf8) + [40, 0, 0, 0] + Array("RMIDdata".utf8))
    let commands = [
      ["sound", "info"], ["sound", "play", "--audio", "null"], ["sound", "convert", "-o", "x.wav"],
      ["sound", "cut", "--to", "1s", "-o", "x.wav"],
    ]
    for command in commands {
      for name in ["song.mid", "song.rmi"] {
        let run = try CommandRun(command + [name], folder: folder.url)
        #expect(run.status == 65)
        #expect(
          run.errors == "downbeat: \(name): is a MIDI file, not a sound file"
            + " (try downbeat play, render or info)\n", "\(command): \(run.errors)")
      }
      let none = try CommandRun(command + ["A.wav"], folder: folder.url)
      #expect(none.status == 66)
      #expect(
        none.errors == "downbeat: A.wav: no such file (did you mean a.wav?)\n",
        "\(command): \(none.errors)")
    }
    #expect(try folder.names() == ["a.wav", "song.mid", "song.rmi"])
  }

  @Test func `a folder gives a report for each of its sounds`() throws {
    let run = try CommandRun(["sound", "info", "."], folder: folder.url)
    #expect(run.status == 0 && run.text.hasPrefix("./a.wav: "), "\(run.text)\(run.errors)")
  }

  private func probe(_ entry: String, _ name: String) throws -> [Int] {
    let run = try ToolRun(
      ["-v", "error", "-show_entries", entry, "-of", "csv=p=0", folder.path(name)],
      command: "/usr/bin/ffprobe")
    return run.text.split(whereSeparator: \.isNewline).compactMap {
      Int($0.split(separator: ",").first ?? "")
    }
  }

  @Test(.enabled(if: isProbed, "no ffprobe (make setup-test)"), arguments: ["a.m4a", "a.mp3"])
  func `packets, their sizes and the bitrate are those that ffprobe finds`(name: String) throws {
    try make(name)
    let told = try document(name)
    let packets = try #require(told["packets"] as? [String: Any])
    let sizes = try probe("packet=size", name)
    #expect(packets["count"] as? Int == sizes.count)
    #expect(packets["bytes"] as? Int == sizes.reduce(0, +))
    #expect(packets["smallest"] as? Int == sizes.min())
    #expect(packets["largest"] as? Int == sizes.max())
    let perPacket: Int = name == "a.mp3" ? 1152 : 1024
    #expect(packets["longest"] as? Int == perPacket)
    let rate = Double(sizes.reduce(0, +) * 8) * 48_000 / Double(sizes.count * perPacket)
    #expect(abs((told["bitrate"] as? Double ?? 0) - rate) < 0.02 * rate)
    let gapless = try #require(told["gapless"] as? [String: Any])
    let (before, behind) = (gapless["priming"] as? Int, gapless["remainder"] as? Int)
    #expect(before == (name == "a.mp3" ? 1105 : 1024))
    #expect((behind ?? -1) >= 0)
    #expect(told["frames"] as? Int == 96_000)
    let layer = try #require((told["layers"] as? [[String: Any]])?.first)
    #expect(layer["name"] as? String == (name == "a.mp3" ? "MP3" : "AAC"))
    #expect(layer["framesPerPacket"] as? Int == perPacket)
    let words = try CommandRun(["sound", "info", name], folder: folder.url).text
    #expect(words.contains("  packets      \(sizes.count), each "), "\(words)")
    #expect(words.contains("\(before ?? 0) frames before the sound, "), "\(words)")
  }

  @Test func `loudness is measured on request`() throws {
    #expect(try document("a.wav")["loudness"] is NSNull)
    #expect(try document("a.wav")["packets"] is NSNull)
    let loudness = try #require(try document("a.wav", "--loudness")["loudness"] as? [String: Any])
    // The tone by which ITU-R BS.1770 is calibrated: its weighting leaves the sum of both channels'
    // powers, in decibels, as it is.
    let power = (0.25 * 0.25 + 0.125 * 0.125) / 2
    #expect(abs((loudness["integrated"] as? Double ?? 0) - 10 * log10(power)) < 0.06)
    #expect(abs((loudness["peak"] as? Double ?? 0) - 20 * log10(0.25)) < 0.11)
    let words = try CommandRun(["sound", "info", "a.wav", "--loudness"], folder: folder.url).text
    #expect(words.contains(" LUFS, peak -12.0 dB, true peak -12.0 dB"), "\(words)")
    let piped = try CommandRun(
      ["sound", "info", "-", "--json"], input: try FileContent.data(folder.path("a.wav")))
    #expect(piped.status == 0, "\(piped.errors)")
  }
}
