// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SoundStreaming

/// HLS servers that stall, redirect endlessly, or lack the files in their playlists.
@Suite(
  .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct HLSFailureTests {
  private static func list(_ lines: String, isComplete: Bool = true) -> [UInt8] {
    Array(
      ("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + lines + (isComplete ? "#EXT-X-ENDLIST\n" : "")).utf8)
  }

  private static func segments(_ count: Int, before: String = "") -> String {
    (0..<count).map { "\(before)#EXTINF:2,\n\($0).aac\n" }.joined()
  }

  private var impatient: StreamSettings {
    var settings = StreamRig.patient
    (settings.http.stallTimeout, settings.http.connectTimeout) = (.seconds(1), .seconds(1))
    settings.http.attemptLimit = 0
    return settings
  }

  /// Nothing, only a header, and one byte after another.
  @Test(arguments: ["nothing", "head", "bytes"], [true, false])
  func `a stream ends if its segments do not arrive`(part: String, isComplete: Bool) async throws {
    let server = TestHTTPServer { request, connection in
      if request.target == "/list" {
        let list = Self.list(Self.segments(50), isComplete: isComplete)
        return connection.sendFile(list, request, type: "application/x-mpegurl")
      }
      if part != "nothing" {
        connection.head("200 OK", "Content-Type: audio/aac", "Content-Length: 100000")
      }
      while part == "bytes", connection.send([0x21]) { usleep(10_000) }
      connection.waitForEnd()
    }
    var settings = impatient
    // A segment of a live stream is tried three more times.
    if !isComplete { settings.http.stallTimeout = .milliseconds(300) }
    var (words, names) = ([String](), Set<String>())
    // A machine that does not deliver even the list in this time gets twice as much.
    for _ in 0..<9 where names.count < 3 {
      let rig = try StreamRig([.address("\(server.address)/list")], settings: settings)
      try await rig.playToEnd()
      words = rig.words
      #expect(!words.contains { $0.hasPrefix("playing") })
      names.formUnion(server.requests.map(\.target).filter { $0 != "/list" })
      settings.http.stallTimeout *= 2
    }
    #expect(names.count == 3, "\(names)")
    #expect(
      words.contains { $0.hasPrefix("failed 0") && $0.contains("no data received") }, "\(words)")
  }

  @Test(arguments: ["list", "segment", "map"])
  func `circular redirects end the stream`(place: String) async throws {
    let server = TestHTTPServer { request, connection in
      switch (request.target, place) {
      case ("/list", "segment"):
        connection.sendFile(Self.list(Self.segments(9)), request, type: "application/x-mpegurl")
      case ("/list", "map"):
        let lines = "#EXT-X-MAP:URI=\"0.aac\"\n" + Self.segments(9)
        connection.sendFile(Self.list(lines), request, type: "application/x-mpegurl")
      case ("/0.aac", _): connection.head("302 Found", "Location: /1.aac", "Content-Length: 0")
      case ("/1.aac", _): connection.head("307 Other", "Location: /0.aac", "Content-Length: 0")
      default: connection.head("301 Moved", "Location: /list?again", "Content-Length: 0")
      }
    }
    let rig = try StreamRig([.address("\(server.address)/list")])
    try await rig.playToEnd()
    let failures = rig.words.filter { $0.hasPrefix("failed 0") }
    #expect(failures.count == 1 && failures[0].contains("more than 10 redirects"), "\(rig.words)")
    #expect(server.requests.count < 40)
  }

  /// An initialization section after each discontinuity is available.
  @Test func `an initialization does not count as sound if its segments are missing`()
    async throws
  {
    let bytes = try HLSBytes(.fragments, seconds: 4)
    let before = "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"init.mp4\"\n"
    let server = bytes.server { request, connection in
      guard request.target == "/gaps" else { return false }
      connection.sendFile(
        Self.list(Self.segments(50, before: before)), request, type: "application/x-mpegurl")
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/gaps")])
    try await rig.playToEnd()
    #expect(rig.words.contains { $0.hasPrefix("failed 0") && $0.contains("404") }, "\(rig.words)")
    #expect(server.requests.filter { $0.target.hasSuffix(".aac") }.count == 3)
  }
}
