// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import DownbeatCommand
@testable import PlayerControl

@Suite struct SongCollectorTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func make(_ folders: String...) throws {
    for folder in folders {
      try FileManager.default.createDirectory(
        atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
  }

  @discardableResult
  private func write(_ name: String, _ text: String = "") throws -> String {
    try scratch.write(name, Array(text.utf8))
  }

  /// Returns the paths of the songs, relative to the scratch folder.
  private func paths(_ collector: SongCollector) -> [String] {
    collector.songs.map { $0.path.replacingOccurrences(of: scratch.path("") + "/", with: "") }
  }

  private func collected(_ names: String...) -> SongCollector {
    SongCollector(names.map { scratch.path($0) })
  }

  @Test func `a folder gives its songs in natural order, with their subfolders`() throws {
    try make("m/10 last", "m/2 first/deep", "m/.hidden", "m/empty")
    for name in [
      "m/1.mid", "m/11.MIDI", "m/2.kar", "m/notes.txt", "m/.x.mid", "m/3.mid.gz", "m/list.m3u",
      "m/10 last/a.rmi", "m/2 first/b.mid", "m/2 first/deep/c.mid", "m/.hidden/d.mid",
    ] { try write(name) }
    let found = collected("m")
    #expect(
      paths(found) == [
        "m/1.mid", "m/2 first/b.mid", "m/2 first/deep/c.mid", "m/2.kar", "m/3.mid.gz",
        "m/10 last/a.rmi", "m/11.MIDI",
      ])
    #expect(
      found.songs.map(\.folders) == ["", "2 first/", "2 first/deep/", "", "", "10 last/", ""])
    #expect(found.troubles.isEmpty)
    #expect(collected("m/empty").troubles.first?.exitStatus == .noInput)
  }

  @Test func `a folder that contains a link to itself is read once`() throws {
    try make("m/a")
    try write("m/a/1.mid")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("m/a/b"), withDestinationPath: scratch.path("m"))
    let found = collected("m")
    #expect(paths(found) == ["m/a/1.mid"])
    #expect(found.troubles.count == 1)
    // Each word of the command line is still a separate song.
    #expect(paths(collected("m/a/1.mid", "m/a/1.mid")).count == 2)
  }

  @Test func `the entries of a list are relative to its folder, and are not checked`() throws {
    try make("m/sub")
    try write("m/sub/x.mid")
    try write("m/list.m3u", "gone.mid\nsub\nfile:///y/z.mid\nhttp://x/y.mid\n../up.mid\n")
    let found = collected("m/list.m3u")
    #expect(paths(found) == ["m/gone.mid", "m/sub/x.mid", "/y/z.mid", "m/../up.mid"])
    #expect(found.songs.map { $0.mention?.line } == [1, 2, 3, 5])
    #expect(found.troubles.count == 1)
    #expect(found.troubles[0].description.contains("list.m3u: line 4: http://x/y.mid: http"))
  }

  @Test func `missing files are omitted with the line of their list, without opening files`() throws
  {
    try make("m")
    try write("m/1.mid")
    try #require(unsafe mkfifo(scratch.path("m/pipe"), 0o600) == 0)
    try write("m/list.m3u", "1.mid\ngone.mid\n1.mid\n")
    var found = collected("m/list.m3u", "m/pipe", "two")
    found.leaveOutUnreadable()
    #expect(paths(found) == ["m/1.mid", "m/1.mid", "m/pipe"])
    #expect(found.troubles.map(\.exitStatus) == [.noInput, .noInput])
    #expect(found.troubles[0].description.contains("m/list.m3u: line 2: "))
    #expect(found.omissions.map(\.path) == [scratch.path("m/gone.mid"), scratch.path("two")])
  }

  @Test func `lists that contain each other are read once each, with a report`() throws {
    try write("a.m3u", "1.mid\nb.m3u\na.m3u\n2.mid\n")
    try write("b.m3u", "3.mid\na.m3u\n")
    let found = collected("a.m3u")
    #expect(paths(found) == ["1.mid", "3.mid", "2.mid"])
    #expect(found.troubles.map(\.exitStatus) == [.partial, .partial])
    #expect(
      found.troubles[0].description.hasSuffix(
        "b.m3u: line 2: \(scratch.path("a.m3u")): skipped, already in this list"))
  }

  @Test func `the depth of nested lists is limited`() throws {
    for number in 0..<80 { try write("\(number).m3u", "\(number).mid\n\(number + 1).m3u\n") }
    let found = collected("0.m3u")
    #expect(found.songs.count == 64)
    #expect(found.troubles.first?.description.contains("more than 64") == true)
  }

  @Test func `a list that is missing or not a file is reported`() throws {
    #expect(collected("gone.m3u").troubles.first?.exitStatus == .noInput)
    try make("folder.m3u")
    let trouble = collected("folder.m3u").troubles.first
    #expect(trouble?.description.contains("contains no songs") == true)
    try #require(unsafe mkfifo(scratch.path("pipe.m3u"), 0o600) == 0)
    #expect(collected("pipe.m3u").troubles.first?.exitStatus == .noInput)
  }

  @Test func `a very large list is read up to a limit, which is reported with its line`() throws {
    let path = try write(
      "long.m3u", String(repeating: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", count: 1000))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 1 << 30)
    let found = collected("long.m3u")
    #expect(found.songs.count == 1000)
    #expect(found.troubles.last?.description.contains("line 1001: ") == true, "\(found.troubles)")
  }

  @Test func `a list with too many songs is reported once`() throws {
    try write("many.m3u", String(repeating: "a.mid\n", count: SongCollector.mostSongs + 10))
    let found = collected("many.m3u")
    #expect(found.songs.count == SongCollector.mostSongs)
    #expect(found.troubles.count == 1)
    #expect(found.troubles[0].description.contains("many.m3u: line 250001: "))
  }

  @Test func `pipes and devices are omitted unless the command line names them`() throws {
    try make("m")
    try write("m/1.mid")
    try #require(unsafe mkfifo(scratch.path("m/2.mid"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("m/3.mid"), withDestinationPath: "/dev/zero")
    try write("list.m3u", "m/2.mid\nm/1.mid\n/dev/null\n")
    for (word, count) in [("m", 2), ("list.m3u", 2)] {
      let found = collected(word)
      #expect(paths(found) == ["m/1.mid"])
      #expect(found.troubles.count == count)
      #expect(found.troubles[0].description.contains("m/2.mid: is a pipe or a device"))
      #expect(found.troubles[0].exitStatus == .noInput)
    }
    #expect(paths(collected("m/2.mid")) == ["m/2.mid"])
  }

  @Test func `the reading of a list that contains itself many times ends`() throws {
    try write("a.m3u", String(repeating: "a.m3u\n", count: 300_000) + "1.mid\n")
    let found = collected("a.m3u")
    #expect(found.songs.isEmpty)
    // The last one is for the end of the list, and is omitted here like the others after the first.
    #expect(found.troubles.count == 20 && found.omittedTroubles == 250_000 - 20 + 1)
  }

  @Test func `standard input can be a word, but not an entry`() throws {
    try write("a.m3u", "-\n")
    #expect(SongCollector(["-"]).songs.map(\.path) == ["-"])
    #expect(paths(collected("a.m3u")) == ["-"].map { "\($0)" })
    #expect(collected("a.m3u").songs[0].path != "-")
  }
}
