// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import TestSupport
import Testing

@testable import SoundStreaming

/// Files with the received bytes of streams that play.
@Suite(
  .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamSavingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder.path("saved.mp3") }

  private func saving(_ change: (inout StreamSettings) -> Void = { _ in }) -> StreamSettings {
    var settings = StreamRig.patient
    settings.copy = HTTPSettings.Copy(path: path)
    change(&settings)
    return settings
  }

  private func saved() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [true, false])
  func `a file is saved completely, also if only a part of it plays`(givesParts: Bool) async throws
  {
    let bytes = try StreamBytes.mp3(seconds: 20)
    let server = TestHTTPServer {
      $1.sendFile(bytes, $0, givesParts: givesParts, type: "audio/mpeg")
    }
    let settings = saving { ($0.start, $0.end) = (.seconds(12), .seconds(14)) }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")], settings: settings)
    try await rig.playToEnd()
    #expect(abs(rig.samples.filter { $0 != 0 }.count - 2 * 44_100) < 2000)
    #expect(try saved() == bytes)
    #expect(rig.words.contains("saved \(bytes.count)"), "\(rig.words)")
  }

  @Test func `a station is saved as received until the player stops`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 6)
    let server = TestHTTPServer { request, connection in
      connection.head("200 OK", "icy-name: x", "Content-Type: audio/mpeg")
      let part = request.number == 0 ? bytes[..<24_000] : bytes[24_000...]
      connection.send(part)
      if request.number > 0 { connection.waitForEnd() }
    }
    let rig = try StreamRig([.address("\(server.address)/live")], settings: saving())
    try await rig.playToEnd(upTo: 5 * 44_100)
    try await StreamRig.aside { rig.player.stopAndSave() }
    #expect(try saved() == bytes)
  }

  @Test func `a file that is left before its end is not saved`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 20)
    let server = TestHTTPServer { request, connection in
      connection.sendFile(bytes, request, type: "audio/mpeg", limit: 60_000)
      connection.waitForEnd()
    }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")], settings: saving())
    try await rig.playToEnd(upTo: 44_100)
    try await StreamRig.aside { rig.player.stopAndSave() }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(rig.words.contains { $0.hasPrefix("not saved") }, "\(rig.words)")
  }

  @Test func `an existing file is refused immediately`() throws {
    _ = try folder.write("saved.mp3", [1])
    let error = #expect(throws: HTTPError.self) {
      _ = try StreamRig([.address("http://127.0.0.1:9/a")], settings: saving())
    }
    #expect(error == .cannotKeep(path: path, reason: "it already exists"))
  }
}
