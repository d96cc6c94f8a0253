// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Damaged files of the kinds that FFmpeg reads are refused, or end.
///
/// Each batch runs in a separate process with limits on memory and time. A crash, a hang or
/// excessive memory ends that process and fails the test.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SoundDecodingFuzzTests {
  @Test(arguments: 0..<2)
  func `damaged packets and containers are refused or end`(batch: UInt64) async {
    await #expect(processExitsWith: .success) { [batch] in
      let counts = try SoundDecodingFuzz(seed: batch).run()
      print("fuzz batch \(batch): \(counts.opened) opened, \(counts.refused) refused")
      #expect(counts.opened > 0)
      #expect(counts.refused > 0)
    }
  }
}

private struct SoundDecodingFuzz {
  private static let kinds: [(suffix: String, arguments: [String])] = [
    ("m4a", ["-c:a", "aac"]), ("m4a", ["-c:a", "alac"]), ("aac", ["-c:a", "aac"]),
    ("mp4", ["-c:a", "aac", "-movflags", "+frag_keyframe"]),
    ("latm", ["-c:a", "aac", "-f", "latm"]),
    ("wma", ["-c:a", "wmav2"]), ("ac3", ["-c:a", "ac3"]), ("mka", ["-c:a", "libopus"]),
    ("wv", ["-c:a", "wavpack"]), ("tta", ["-c:a", "tta"]), ("ts", ["-c:a", "aac"]),
    ("mp3", ["-c:a", "libmp3lame"]), ("flv", ["-c:a", "aac"]),
  ]

  private var random: SplitMix
  private let folder: ScratchFolder
  private var seeds: [[UInt8]] = []

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    folder = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=0.3"]
    for (suffix, arguments) in Self.kinds {
      try FFmpegWitness.run(source + arguments + [folder.path("seed.\(suffix)")])
      seeds.append(try folder.bytes("seed.\(suffix)"))
    }
  }

  func run() throws -> (opened: Int, refused: Int) {
    limit()
    var copy = self
    var (opened, refused) = (0, 0)
    let rounds = unsafe getenv("DOWNBEAT_LONG") == nil ? 15 : 800
    for seed in seeds {
      for _ in 0..<rounds {
        try folder.write(copy.damage(seed), to: "damaged")
        if copy.read(folder.path("damaged")) { opened += 1 } else { refused += 1 }
      }
    }
    return (opened, refused)
  }

  private func limit() {
    // A generous limit for a busy machine, which also ends a process that waits forever.
    alarm(6000)
    var seconds = rlimit(rlim_cur: 600, rlim_max: 600)
    unsafe setrlimit(__rlimit_resource_t(0), &seconds)
    var bytes = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
    // A sanitizer maps more memory than the limit.
    if callocationcounter_works() { _ = unsafe setrlimit(__rlimit_resource_t(9), &bytes) }
  }

  /// Changes bytes, half of them near the beginning; cuts, doubles or swaps pieces.
  private mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.next() % 6 {
      let reach = random.next() % 2 == 0 ? bytes.count : min(bytes.count, 800)
      guard reach > 8 else { break }
      let place = Int(random.next() % UInt64(reach - 4))
      switch random.next() % 6 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 2: for step in 0..<4 { bytes[place + step] = random.next() % 2 == 0 ? 0xFF : 0 }
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 64)))
      case 4: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
      }
    }
    return bytes
  }

  private mutating func read(_ path: String) -> Bool {
    do { _ = try PacketReader(path: path).table.frameCount } catch {
      #expect(!"\(error)".isEmpty)
    }
    do {
      let reader = try SoundFileReader(path: path)
      var frames = 0
      while frames < 60_000 {
        let samples = reader.read(Float.self, frameCount: 4096)
        if samples.isEmpty { break }
        frames += samples.count / reader.channelCount
      }
      _ = reader.locate(to: SampleTime(frames: Int64(random.next() % 20_000)))
      _ = reader.read(Int16.self, frameCount: 100)
      return true
    } catch {
      #expect(!"\(error)".isEmpty)
      return false
    }
  }
}
