// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import TestSupport
import Testing

@testable import SoundStreaming

/// The memory of an hour of each format, played as fast as it is decoded.
///
/// The memory is that of the process: run it alone, with `DOWNBEAT_LONG` set.
@Suite(
  .serialized, .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"),
  .enabled(
    if: ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil, "DOWNBEAT_LONG is not set"))
struct StreamHourTests {
  private static func words(_ format: Icecast.Format) -> (suffix: String, words: [String]) {
    switch format {
    case .mp3: ("mp3", ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"])
    case .aac: ("aac", ["-c:a", "aac"])
    case .vorbis: ("ogg", ["-c:a", "libvorbis"])
    case .opus: ("ogg", ["-c:a", "libopus"])
    case .flac: ("ogg", ["-c:a", "flac"])
    }
  }

  /// Stations that repeat 20 s of a tone; for Ogg, two links in turn.
  @Test(arguments: Icecast.Format.allCases)
  func `the memory of an hour of a station is that of its first minutes`(
    format: Icecast.Format
  ) async throws {
    let (suffix, words) = Self.words(format)
    let parts = try (0..<2).map {
      try StreamBytes.tone(suffix, seconds: 20, words + ["-metadata", "title=\($0)"])
    }
    let server = TestHTTPServer { _, connection in
      connection.head("200 OK", "icy-name: x", "Content-Type: application/octet-stream")
      while connection.send(parts[0]), connection.send(parts[1]) {}
    }
    try await measure("\(server.address)/\(format)", "\(format)")
  }

  @Test func `the memory of an hour of M4A is that of its first minutes`() async throws {
    let folder = try ScratchFolder()
    let part = try StreamBytes.tone("m4a", seconds: 60, ["-c:a", "aac", "-b:a", "64k"])
    let run = try ToolRun(
      [
        "-v", "error", "-y", "-stream_loop", "69", "-i", try folder.write("a.m4a", part), "-c",
        "copy", "-movflags", "+faststart", folder.path("b.m4a"),
      ], command: "/usr/bin/ffmpeg")
    try #require(run.status == 0, "\(run.errors)")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("b.m4a"))))
    let server = TestHTTPServer { request, connection in connection.sendFile(bytes, request) }
    try await measure("\(server.address)/b.m4a", "m4a")
  }

  private func measure(_ address: String, _ name: String) async throws {
    let rig = try StreamRig([.address(address)])
    rig.keepsSamples = false
    try await rig.playToEnd(upTo: 240 * 44_100)
    let start = try PeakMemory.restart()
    try await rig.playToEnd(upTo: 3600 * 44_100)
    let growth = try PeakMemory.bytes() - start
    print("\(name): \(start >> 20) MiB after 4 minutes, \(growth >> 10) KiB more in an hour")
    #expect(rig.frameCount >= 3600 * 44_100 && growth < 8 << 20, "\(growth) \(rig.words.suffix(3))")
    rig.player.stop()
  }
}
