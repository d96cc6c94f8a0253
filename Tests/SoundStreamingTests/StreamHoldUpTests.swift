// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Foundation
import MusicalTime
import SoundStreaming
import Synchronization
import TestSupport
import Testing

/// Broadcasts with interruptions, played in real time by a silent output.
@Suite(
  .serialized, .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamHoldUpTests {
  /// Plays for some seconds, or until a word is reported.
  private func play(
    _ rig: StreamRig, seconds: Int, until word: String? = nil
  ) async throws -> Int64 {
    let output = NullOutputUnit(format: AudioFormat(rate: .hertz44100))
    var graph = AudioGraph()
    try graph.setHead(graph.add(rig.player.unit))
    try output.start(graph.compile(), at: .zero)
    try rig.player.unit.follow(output, telling: .heard)
    rig.player.start()
    for _ in 0..<seconds * 100 {
      if let word, rig.told.words.contains(word) { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    rig.player.stop()
    output.stop(draining: false)
    rig.player.unit.stopFollowing()
    return rig.player.unit.position.played.frames
  }

  @Test func `a stream that runs dry is reported, and continues with new sound`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 6)
    let isDry = Atomic(false)
    let server = TestHTTPServer { _, connection in
      connection.head("200 OK", "icy-name: x", "Content-Type: audio/mpeg")
      connection.send(bytes[..<12_000])
      while !isDry.load(ordering: .acquiring) { usleep(5_000) }
      connection.send(bytes[12_000...])
      connection.waitForEnd()
    }
    let rig = try StreamRig([.address("\(server.address)/live")])
    let told = rig.told
    Thread.detachNewThread {
      while !told.words.contains("dry 0") { usleep(5_000) }
      isDry.store(true, ordering: .releasing)
    }
    _ = try await play(rig, seconds: 60, until: "went on 0")
    // After its end it can run dry once more.
    let first = rig.told.words.drop { $0 != "dry 0" }.prefix(2)
    #expect(first == ["dry 0", "went on 0"], "\(rig.told.words)")
  }

  /// Ten seconds; two minutes if `DOWNBEAT_LONG` is set.
  @Test func `an interrupted station continues, which is reported`() async throws {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
    let seconds = isLong ? 120 : 10
    let bytes = try StreamBytes.mp3(seconds: seconds + 20)
    // 8000 bytes are one second. Eight seconds are sent immediately, as stations do, the others
    // gradually.
    let server = TestHTTPServer { request, connection in
      let start = request.number == 0 ? 0 : seconds * 4000
      connection.head("200 OK", "icy-name: x", "Content-Type: audio/mpeg")
      connection.send(bytes[start..<start + 32_000])
      let end = request.number == 0 ? seconds * 4000 + 8000 : bytes.count
      for place in stride(from: start + 32_000, to: end, by: 800) {
        guard connection.send(bytes[place..<min(end, place + 800)]) else { return }
        usleep(100_000)
      }
    }
    let rig = try StreamRig([.address("\(server.address)/live")])
    let played = try await play(rig, seconds: seconds)
    let words = rig.told.words
    #expect(words.prefix(2) == ["opened 0 x", "playing 0 MP3, 44100 Hz, 1 channel"])
    #expect(words.contains("interrupted 0") && words.contains("resumed 0 false"))
    #expect(!words.contains { $0.hasPrefix("failed") }, "\(words)")
    #expect(played > Int64(seconds - 5) * 44_100)
  }
}
