// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Foundation
import Glibc
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import SoundStreaming

/// Servers that send little data at a time.
@Suite(.enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"))
struct SlowServerTests {
  /// Sends one byte after another, at most a hundred per second.
  private static func drip(_ connection: TestHTTPServer.Connection, _ text: String) {
    for byte in text.utf8 {
      guard connection.send([byte]) else { return }
      usleep(10_000)
    }
  }

  private var settings: HTTPSettings {
    var settings = HTTPSourceTests.patient
    (settings.stallTimeout, settings.connectTimeout) = (.seconds(1), .seconds(1))
    settings.attemptLimit = 0
    return settings
  }

  @Test(arguments: ["body", "head", "lines"])
  func `a server that stalls at every byte is reported`(place: String) async throws {
    let server = TestHTTPServer { _, connection in
      if place == "body" { connection.head("200 OK", "Content-Type: audio/aac") }
      let line = place == "lines" ? "a: b\r\n" : "x"
      let start = place == "body" ? "" : "HTTP/1.1 200 OK\r\n"
      Self.drip(connection, start + String(repeating: line, count: 100_000))
    }
    let result = try await HTTPSourceTests.hear(server, settings: settings)
    #expect(result.error == .stalled(server.address + "/a.aac", after: .seconds(1)))
    #expect(result.bytes.count <= 256)
  }

  @Test func `a playlist that arrives byte by byte is refused`() async throws {
    let server = TestHTTPServer { _, connection in
      connection.head("200 OK", "Content-Type: application/x-mpegurl")
      Self.drip(connection, "#EXTM3U\n" + String(repeating: "#EXTINF:2,\n", count: 100_000))
    }
    var settings = StreamRig.patient
    settings.http = self.settings
    let rig = try StreamRig([.address("\(server.address)/list")], settings: settings)
    try await rig.playToEnd()
    #expect(rig.words.contains { $0.contains("no data received for 1 s") }, "\(rig.words)")
  }

  /// A connection of 13 kB/s delivers 26 kB in two seconds.
  @Test(
    .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"), arguments: [true, false])
  func `an M4A starts when 26 kB have arrived, also with its index at its end`(
    isIndexFirst: Bool
  ) async throws {
    let flags = isIndexFirst ? ["-movflags", "+faststart"] : []
    let bytes = try StreamBytes.tone(
      "m4a", seconds: 60, ["-c:a", "aac", "-b:a", "128k", "-ac", "2"] + flags)
    let budget = Mutex(26_000)
    let hasBegun = Atomic(false)
    let server = TestHTTPServer { request, connection in
      let start = request.start ?? 0
      connection.head(
        "206 Partial Content", "Content-Length: \(bytes.count - start)", "ETag: \"1\"",
        "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
      for place in stride(from: start, to: bytes.count, by: 500) {
        // The first connection delivers a little data before the index is requested.
        let isOpen = isIndexFirst || request.number > 0 || place < 500
        let count = budget.withLock { left in
          defer { left -= 500 }
          return left
        }
        if !isOpen || count <= 0 {
          while !hasBegun.load(ordering: .acquiring), connection.send([UInt8]()) { usleep(1000) }
        }
        guard connection.send(bytes[place..<min(place + 500, bytes.count)]) else { return }
      }
    }
    let rig = try StreamRig([.address("\(server.address)/a.m4a")])
    try await rig.playToEnd(upTo: 20_000)
    #expect(rig.samples.count >= 20_000 && rig.words.contains { $0.hasPrefix("playing") })
    #expect(!rig.words.contains { $0.hasPrefix("fetching") })
    hasBegun.store(true, ordering: .releasing)
    rig.player.stop()
  }
}
