// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The reports on drums, and the handling of drums, in songs that move them to other channels.
@Suite struct SongDrumsTests {
  /// Makes channel 1 a rhythm part of GS, and channel 10 a melodic one.
  private static let moved: [(Int, [UInt8])] = [
    (0, [0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]),
    (0, [0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x15, 0, 0x1B, 0xF7]),
  ]
  private static let notes: [(Int, [UInt8])] = [
    (0, [0x90, 38, 100]), (0, [0x99, 60, 100]), (240, [0x80, 38, 0]), (0, [0x89, 60, 0]),
  ]

  private func run(_ words: [String], on events: [(Int, [UInt8])]) throws -> CommandRun {
    try CommandRun(words + ["-"], input: Data(SongBytes.file(events)))
  }

  private func channels(of song: Data) throws -> [[String: Any]] {
    let run = try CommandRun(["info", "--json", "-"], input: song)
    let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    return try #require(document?["channels"] as? [[String: Any]])
  }

  @Test func `info reports the channels of drums`() throws {
    let plain = try channels(of: Data(SongBytes.file(Self.notes)))
    #expect(plain.map { $0["drums"] as? Bool } == [false, true])
    let moved = try channels(of: Data(SongBytes.file(Self.moved + Self.notes)))
    #expect(moved.map { $0["drums"] as? Bool } == [true, false])
  }

  @Test func `check names the channels of drums if they are not only channel 10`() throws {
    let plain = try run(["check"], on: Self.notes)
    #expect(plain.text == "standard input: clean\n")
    let moved = try run(["check"], on: Self.moved + Self.notes)
    #expect(moved.status == 0)
    #expect(moved.text.contains("remark  drums on channel 1\n"))
    let both = try run(["check"], on: [Self.moved[0]] + Self.notes)
    #expect(both.text.contains("remark  drums on channels 1, 10\n"))
    let none = try run(["check"], on: [Self.moved[1]] + Self.notes)
    #expect(none.text.contains("remark  no channel plays drums, not even channel 10\n"))
  }

  @Test(arguments: [("transpose 2", [38, 62]), ("transpose 2 drums", [40, 62])])
  func `edit transposes the melodic channels, and drums on request`(
    operation: String, keys: [Int]
  ) throws {
    let edited = try run(["edit", "-o", "-", "--do", operation], on: Self.moved + Self.notes)
    #expect(try channels(of: edited.output).map { $0["lowestKey"] as? Int } == keys)
  }

  @Test func `a part that plays drums for a while is transposed outside of it`() throws {
    let back: (Int, [UInt8]) = (
      0, [0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 0, 0x1A, 0xF7]
    )
    let song = [Self.moved[0]] + Self.notes + [back] + Self.notes
    let edited = try run(["edit", "-o", "-", "--do", "transpose 5"], on: song)
    let first = try #require(try channels(of: edited.output).first)
    #expect(first["lowestKey"] as? Int == 38)
    #expect(first["highestKey"] as? Int == 43)
  }
}
