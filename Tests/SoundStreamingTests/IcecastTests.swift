// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Foundation
import MusicalTime
import SoundStreaming
import TestSupport
import Testing

/// A station of Icecast's server, played in real time by a silent output.
@Suite(
  .serialized, .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"),
  .enabled(if: Icecast.program != nil, "no icecast2 (make setup-test)"))
struct IcecastTests {
  /// Several seconds; two minutes if `DOWNBEAT_LONG` is set.
  @Test func `a station plays with its name and titles, and continues after an interruption`()
    async throws
  {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
    let icecast = try await StreamRig.aside { try Icecast() }
    try await StreamRig.aside { try icecast.feed() }
    var settings = StreamRig.patient
    settings.http.firstPause = .milliseconds(200)
    settings.http.longestPause = .milliseconds(500)
    settings.http.attemptLimit = 1000
    let rig = try StreamRig([.address(icecast.address)], settings: settings)
    let output = NullOutputUnit(format: AudioFormat(rate: .hertz44100))
    var graph = AudioGraph()
    try graph.setHead(graph.add(rig.player.unit))
    try output.start(graph.compile(), at: .zero)
    try rig.player.unit.follow(output, telling: .heard)
    rig.player.start()
    func wait(for word: String) async throws {
      for _ in 0..<6000 {
        if rig.told.words.contains(word) { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(rig.told.words.contains(word), "\(word): \(rig.told.words)")
    }
    try await wait(for: "playing 0 MP3, 44100 Hz, 1 channel")
    try await StreamRig.aside { try icecast.setTitle("Ärger - Loop") }
    try await wait(for: "title 0 Ärger - Loop")
    if isLong { try await Task.sleep(for: .seconds(55)) }
    icecast.stopFeeding()
    try await wait(for: "interrupted 0")
    try await StreamRig.aside { try icecast.feed() }
    try await wait(for: "resumed 0 false")
    try await StreamRig.aside { try icecast.setTitle("B - After") }
    try await wait(for: "title 0 B - After")
    if isLong { try await Task.sleep(for: .seconds(55)) }
    rig.player.stop()
    output.stop(draining: false)
    rig.player.unit.stopFollowing()
    #expect(rig.told.words.first == "opened 0 Loopback FM")
    #expect(!rig.told.words.contains { $0.hasPrefix("failed") }, "\(rig.told.words)")
  }
}
