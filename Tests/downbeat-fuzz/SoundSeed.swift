// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import TestSupport

/// A whole sound file of a kind.
struct SoundSeed {
  let name: String
  let bytes: [UInt8]

  /// One of every kind that is written here, and of those that FFmpeg writes, where it is there.
  static func all(in folder: URL) throws -> [SoundSeed] {
    let own = try own(in: folder)
    return try own + joined(own, in: folder) + foreign(in: folder) + musepack(own, in: folder)
  }

  /// Files of packets joined to themselves: of M4A with an edit list of two parts.
  private static func joined(_ seeds: [SoundSeed], in folder: URL) throws -> [SoundSeed] {
    try seeds.compactMap { seed in
      let suffix = seed.name.split(separator: "-").first.map(String.init) ?? ""
      guard let container = SoundFileFormat.Container(path: ".\(suffix)"),
        [.m4a, .aac, .mp3].contains(container)
      else { return nil }
      let (whole, twice) = (folder.appendingPathComponent("whole"), folder.path + "/twice")
      try Data(seed.bytes).write(to: whole)
      let reader = try PacketReader(path: whole.path)
      let join = try PacketJoin([reader, reader], for: container)
      _ = try PacketFile.write(join, to: twice, as: container)
      unsafe unlink(whole.path)
      return SoundSeed(name: "\(seed.name)-joined", bytes: try taken(twice))
    }
  }

  private static func own(in folder: URL) throws -> [SoundSeed] {
    guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
    let samples = (0..<2000).map { Float(sin(Double($0) / 20)) }
    let path = folder.appendingPathComponent("whole").path
    return try SoundFileFormat.Container.allCases.flatMap { container in
      try container.encodings.map { encoding in
        let writer = try SoundFileWriter(
          path: path, format: SoundFileFormat(container, encoding), channelCount: 1, rate: rate)
        try writer.write(samples.span)
        try writer.finish()
        return SoundSeed(
          name: "\(container.rawValue)-\(encoding.rawValue)", bytes: try taken(path))
      }
    }
  }

  /// A suffix and arguments of FFmpeg.
  private static let kinds: [(String, [String])] = [
    ("m4a", ["-c:a", "aac", "-ac", "2"]), ("m4a", ["-c:a", "alac", "-ac", "2"]),
    ("mp4", ["-c:a", "aac", "-movflags", "+frag_keyframe"]), ("mp4", ["-c:a", "libmp3lame"]),
    ("mov", ["-c:a", "aac"]), ("latm", ["-c:a", "aac", "-f", "latm"]), ("ts", ["-c:a", "aac"]),
    ("aac", ["-c:a", "aac", "-ac", "2"]), ("flv", ["-c:a", "aac"]), ("wma", ["-c:a", "wmav2"]),
    ("wma", ["-c:a", "wmav1"]), ("ac3", ["-c:a", "ac3"]), ("eac3", ["-c:a", "eac3"]),
    ("mka", ["-c:a", "libopus"]), ("mka", ["-c:a", "flac"]), ("webm", ["-c:a", "libvorbis"]),
    ("wv", ["-c:a", "wavpack"]), ("tta", ["-c:a", "tta"]), ("avi", ["-c:a", "libmp3lame"]),
    ("mp3", ["-c:a", "libmp3lame", "-ac", "2"]), ("mp2", ["-c:a", "mp2"]),
    ("mp3", ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"]),
    ("dts", ["-c:a", "dca", "-strict", "-2"]), ("mlp", ["-c:a", "mlp", "-strict", "-2"]),
    ("thd", ["-c:a", "truehd", "-strict", "-2", "-f", "truehd"]), ("spx", ["-c:a", "libspeex"]),
    ("sbc", ["-c:a", "sbc"]), ("amr", ["-c:a", "libopencore_amrnb", "-ar", "8000", "-ac", "1"]),
    ("ra", ["-c:a", "real_144", "-ar", "8000", "-ac", "1", "-f", "rm"]),
  ]

  /// What FFmpeg here cannot make is left out.
  private static func foreign(in folder: URL) throws -> [SoundSeed] {
    guard FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg") else { return [] }
    let tone = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=0.2"]
    return try kinds.compactMap { suffix, arguments in
      let path = folder.appendingPathComponent("whole.\(suffix)").path
      let run = try ToolRun(tone + arguments + [path], command: "/usr/bin/ffmpeg")
      guard run.status == 0 else { return nil }
      return SoundSeed(name: "\(suffix)-\(arguments[1])", bytes: try taken(path))
    }
  }

  /// Of a WAV file, by the encoder of its own.
  private static func musepack(_ seeds: [SoundSeed], in folder: URL) throws -> [SoundSeed] {
    let command = "/usr/bin/mpcenc"
    guard FileManager.default.fileExists(atPath: command),
      let wave = seeds.first(where: { $0.name == "wav-16" })
    else { return [] }
    let (source, target) = (folder.appendingPathComponent("whole.wav"), folder.path + "/whole.mpc")
    try Data(wave.bytes).write(to: source)
    let run = try ToolRun(["--silent", "--overwrite", source.path, target], command: command)
    unsafe unlink(source.path)
    return run.status == 0 ? [SoundSeed(name: "mpc", bytes: try taken(target))] : []
  }

  private static func taken(_ path: String) throws -> [UInt8] {
    defer { unsafe unlink(path) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
