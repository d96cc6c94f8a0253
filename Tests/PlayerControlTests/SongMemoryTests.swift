// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import JSONText
import MusicSequences
import TestSupport
import Testing

@testable import PlayerControl

@Suite struct SongMemoryTests {
  private func place() -> SongMemory.Place {
    .init(
      words: ["/a b/ü\u{1B}\".m3u", "-", "/caf\u{10FEE9}"], seed: .max, index: 3,
      path: "/x\u{10FEFF}", key: "k", tick: 1 << 40)
  }

  private func read(_ text: String) throws -> SongMemory {
    SongMemory(try JSONReader.read(Array(text.utf8)))
  }

  @Test func `a written memory can be read`() throws {
    var memory = SongMemory()
    memory.place = place()
    memory["one"] = .init(
      transposition: -3, channels: .init(muted: PortChannels(0x8001), soloed: PortChannels(2)),
      volume: -1.5)
    memory["two"] = .init(volume: -60)
    // Only channel 1 of the first port, and channel 10 of the third.
    memory["three"] = .init(channels: .init(muted: PortChannels(indices: [0, 41])))
    #expect(try read("\(memory.document)") == memory)
    memory.place?.seed = nil
    #expect(try read("\(memory.document)") == memory)
    #expect(try read("\(SongMemory().document)") == SongMemory())
  }

  @Test func `unchanged songs are not kept, and only the last 500 are`() {
    var memory = SongMemory()
    for number in 0..<510 { memory["\(number)"] = .init(volume: -1) }
    #expect(memory["9"] == .init() && memory["10"].volume == -1)
    memory["11"] = .init()
    #expect(memory["11"] == .init())
    // A song that is played again is moved to the end.
    memory["10"] = memory["10"]
    for number in 510..<1000 { memory["\(number)"] = .init(volume: -1) }
    #expect(memory["10"].volume == -1 && memory["12"] == .init())
    #expect("\(memory.document)".utf8.count < 100_000)
  }

  @Test(arguments: [
    "{}", "[]", "7", #"{"type":"play-memory","v":2,"songs":[{"key":"k","volume":1}]}"#,
    #"{"type":"play-memory","v":1,"songs":7,"place":7}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":7},{"volume":1},{"key":"k","volume":13}]}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":"k","transpose":-99}],"place":{"words":[]}}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":"k","muted":65536}]}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":"k","muted":[1,65536]}]}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":"k","soloed":["x"]}]}"#,
    #"{"type":"play-memory","v":1,"songs":[{"key":"k","muted":[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}"#,
    #"{"type":"play-memory","v":1,"place":{"words":["a"],"index":-1,"path":"p","key":"k","tick":0}}"#,
    #"{"type":"play-memory","v":1,"place":{"words":["a"],"index":99999999999999999999}}"#,
  ])
  func `damaged and out-of-range data are ignored`(text: String) throws {
    #expect(try read(text) == SongMemory())
  }

  @Test func `a song's key is a hash of its bytes`() {
    // Test vectors from the definition of FNV-1a.
    #expect(SongMemory.key(of: []) == "cbf29ce484222325-0")
    #expect(SongMemory.key(of: Array("foobar".utf8)) == "85944171f73967e8-6")
  }

  @Test func `players that end at the same time do not lose data`() async throws {
    let scratch = try ScratchFolder()
    let base = scratch.path("state")
    try await withThrowingTaskGroup { group in
      for player in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [base = base as String, player = player as Int] in
            let file = try #require(SongMemoryFile(environment: ["XDG_STATE_HOME": base]))
            for song in 0..<200 {
              try file.edit { $0["\(player)-\(song)"].volume = -1.5 }
              try file.edit { $0["\(player)-\(song)"].transposition = player + 1 }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let memory = try #require(SongMemoryFile(environment: ["XDG_STATE_HOME": base])).read()
    for player in 0..<2 {
      for song in 0..<200 {
        #expect(memory["\(player)-\(song)"] == .init(transposition: player + 1, volume: -1.5))
      }
    }
  }

  @Test func `a lock on the folder does not block others for long`() throws {
    let scratch = try ScratchFolder()
    let file = try #require(SongMemoryFile(environment: ["XDG_STATE_HOME": scratch.url.path]))
    try file.edit { $0["k"].volume = 1 }
    let lock = unsafe open(scratch.path("downbeat"), O_RDONLY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    try file.edit { $0["k"].volume = 2 }
    #expect(file.read()["k"].volume == 2)
  }

  @Test func `the file is private, and a damaged one is replaced`() throws {
    let scratch = try ScratchFolder()
    let base = scratch.path("deep/state")
    let file = try #require(SongMemoryFile(environment: ["XDG_STATE_HOME": base, "HOME": "/x"]))
    #expect(file.read() == SongMemory())
    try file.edit { $0.place = place() }
    #expect(file.read().place == place())
    let path = base + "/downbeat/play.json"
    let mode = try FileManager.default.attributesOfItem(atPath: base + "/downbeat")
    #expect(mode[.posixPermissions] as? Int == 0o700)
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(file.read() == SongMemory())
    try file.edit { $0["k"].volume = 1 }
    #expect(file.read()["k"].volume == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: base + "/downbeat") == ["play.json"])
    #expect(SongMemoryFile(environment: ["XDG_STATE_HOME": "relative"]) == nil)
  }

  @Test func `a readable folder is made private, and a writable one is refused`() throws {
    let scratch = try ScratchFolder()
    let file = try #require(SongMemoryFile(environment: ["XDG_STATE_HOME": scratch.url.path]))
    try file.edit { $0["k"].volume = 1 }
    let folder = scratch.path("downbeat")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(file.read()["k"].volume == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(mode[.posixPermissions] as? Int == 0o700)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    #expect(throws: ControlError.self) { try file.edit { $0["k"].volume = 3 } }
    #expect(file.read() == SongMemory())
  }
}
