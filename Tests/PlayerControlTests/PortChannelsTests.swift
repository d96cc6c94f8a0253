// SPDX-License-Identifier: Apache-2.0
import JSONText
import MIDIMessages
import MusicSequences
import Testing

@testable import PlayerControl

/// Channels of ports, as text and in messages of other programs.
@Suite struct PortChannelsTests {
  private func action(_ verb: String, _ values: JSONValue...) throws -> ControlAction {
    try ControlRequest.action(verb, values)
  }

  @Test(
    arguments: [
      ("2:10", [25]), ("2:1-3,2:16", [16, 17, 18, 31]), ("1:1,16:16", [0, 255]),
      ("3:5,3:5", [36]),
    ] as [(String, [Int])])
  func `a channel after a port is of that port only`(text: String, indices: [Int]) throws {
    #expect(try PortChannels(parsing: text).indices() == indices)
    #expect(PortChannels(indices: indices) == (try PortChannels(parsing: text)))
  }

  @Test func `a channel without a port is of every port`() throws {
    #expect(try PortChannels(parsing: "2,10") == PortChannels(1 << 1 | 1 << 9))
    #expect(try PortChannels(parsing: "2,3:4").indices(ofPorts: 3) == [1, 17, 33, 35])
  }

  @Test(arguments: ["", "0:1", "17:1", ":1", "2:", "2:17", "2:0", "x:1", "2:1:3", "-1:2", "2:3-1"])
  func `other texts are refused`(text: String) {
    #expect(throws: (any Error).self) { try PortChannels(parsing: text) }
  }

  @Test func `commands to a running player accept channels of ports`() throws {
    let second = PortChannels(indices: [25])
    #expect(
      try action("mute", .text("2:10")) == .perform(.setMuted(second, among: second)))
    #expect(
      try action("unsolo", .text("2:10")) == .perform(.setSoloed(.none, among: second)))
    #expect(
      try action("set", .text("mute"), .array([.decimal("25")]))
        == .perform(.setMuted(second, among: .all)))
    #expect(
      try action("set", .text("solo"), .text("none"))
        == .perform(.setSoloed(.none, among: .all)))
    #expect(throws: ControlError.self) { try action("mute", .decimal("256")) }
    #expect(throws: ControlError.self) { try action("mute", .decimal("-1")) }
    #expect(throws: ControlError.self) { try action("program", .text("2:1"), .text("5")) }
    #expect(
      ControlText.text(of: .mute, .array([.decimal("1"), .decimal("25")])) == "2,2:10")
  }

  @Test func `commands change the channels of their port only`() throws {
    var heard = HeardChannels()
    heard = try #require(try heard.changed(by: .toggleMute, chosen: 25))
    #expect(heard.heard.indices().count == 255 && !heard.heard.contains(.percussion, port: 1))
    heard = try #require(
      try heard.changed(
        by: .setSoloed(PortChannels(1 << 9), among: PortChannels(1 << 9)), chosen: nil))
    #expect(heard.heard.indices(ofPorts: 3) == [9, 41])
    #expect(try heard.changed(by: .unmuteAll, chosen: nil) == HeardChannels())
    #expect(throws: ControlError.self) { try heard.changed(by: .toggleSolo, chosen: nil) }
  }
}
