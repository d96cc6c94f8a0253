// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicSequences
import MusicalTime
import OpenSoundControl
import Testing

@testable import PlayerControl

/// The commands of Open Sound Control messages.
@Suite struct OSCWordsTests {
  private func actions(_ address: String, _ arguments: OSCValue...) throws -> [ControlAction] {
    try OSCWords.actions(of: OSCMessage(address, arguments))
  }

  @Test(arguments: ["1e9", "999.1", "1.39", "0", "-120", "nan", "inf", "fast", "9999999999999"])
  func `a tempo out of range is refused`(text: String) {
    #expect(throws: ControlError.self) { try ControlRequest.action("tempo", [.text(text)]) }
    #expect(throws: ControlError.self) { try actions("/downbeat/tempo", .string(text)) }
  }

  @Test func `a tempo of 1.4 to 999 is accepted`() throws {
    for value in [1.4, 97.5, 999] {
      #expect(try actions("/downbeat/tempo", .double(value)).count == 1)
    }
  }

  @Test func `a message has the same effect as the same words`() throws {
    let cases: [(String, [OSCValue], String, [String])] = [
      ("play", [], "play", []), ("stop", [], "stop", []),
      ("seek", [.string("5.1.0")], "seek", ["5.1.0"]),
      ("seek", [.float(90)], "seek", ["90"]), ("seek", [.int32(-4)], "seek", ["-4"]),
      ("locate", [.string("1:30")], "seek", ["1:30"]),
      ("tempo", [.double(97.5)], "tempo", ["97.5"]),
      ("bars", [.int32(2)], "bars", ["2"]), ("bars", [.float(2)], "bars", ["2"]),
      ("volume", [.float(0.5)], "volume", ["50%"]),
      ("volume", [.int32(1)], "volume", ["100%"]), ("volume", [.double(0)], "volume", ["0%"]),
      ("volume", [.string("-3dB")], "volume", ["-3dB"]),
      ("mute", [.int32(2)], "mute", ["2"]), ("mute", [.int32(2), .bool(true)], "mute", ["2"]),
      ("mute", [.int32(2), .bool(false)], "unmute", ["2"]),
      ("solo", [.string("1,3"), .int32(0)], "unsolo", ["1,3"]),
      ("solo", [.string("1,3"), .float(1)], "solo", ["1,3"]), ("unmute", [], "unmute", []),
      ("program", [.int32(1), .int64(41)], "program", ["1", "41"]),
      ("loop", [.string("33.1.0"), .int32(9)], "loop", ["33.1.0", "9"]),
      ("transpose", [.int32(-3)], "transpose", ["-3"]), ("speed", [.float(1.5)], "speed", ["1.5"]),
      ("set", [.string("repeat"), .string("list")], "set", ["repeat", "list"]),
      ("get", [.string("tempo")], "get", ["tempo"]), ("status", [], "status", []),
    ]
    for (name, arguments, verb, words) in cases {
      let expected = try ControlRequest.action(verb, words.map { .text($0) })
      #expect(
        try OSCWords.actions(of: OSCMessage("/downbeat/\(name)", arguments)) == [expected],
        "\(name) \(arguments)")
    }
    #expect(
      try actions("/downbeat/set", .string("pause"), .bool(true)) == [.perform(.setPaused(true))])
  }

  @Test func `the press of a button is performed, its release is not`() throws {
    for pressed: OSCValue in [.impulse, .bool(true), .int32(1), .float(1)] {
      #expect(try actions("/downbeat/toggle", pressed) == [.perform(.togglePause)])
    }
    for released: OSCValue in [.bool(false), .int32(0), .float(0)] {
      #expect(try actions("/downbeat/toggle", released) == [])
    }
  }

  @Test func `a pattern performs all commands that it matches`() throws {
    #expect(
      try actions("/downbeat/{louder,faster}") == [
        .perform(.changeSpeed(10)), .perform(.changeVolume(1)),
      ])
    #expect(
      try actions("/downbeat/mute*", .int32(2))
        == [.perform(.setMuted(PortChannels(2), among: PortChannels(2)))])
  }

  @Test(arguments: [
    OSCMessage("/downbeat/muet", [.int32(1)]), OSCMessage("/downbeat/"),
    OSCMessage("/downbeat/no?"), OSCMessage("/downbeat/[a"), OSCMessage("/downbeat/*"),
    OSCMessage("/downbeat/mute"), OSCMessage("/downbeat/mute", [.int32(17)]),
    OSCMessage("/downbeat/mute", [.blob([1])]), OSCMessage("/downbeat/play", [.int32(2)]),
    OSCMessage("/downbeat/play", [.string("now")]), OSCMessage("/downbeat/tempo", [.double(.nan)]),
    OSCMessage("/downbeat/tempo", [.double(.infinity)]),
    OSCMessage("/downbeat/tempo", [.double(1e300)]),
    OSCMessage("/downbeat/tempo", [.int32(0)]), OSCMessage("/downbeat/tempo", [.int32(-1)]),
    OSCMessage("/downbeat/seek", [.null]), OSCMessage("/downbeat/seek", [.timeTag(.immediately)]),
    OSCMessage("/downbeat/observe", [.int32(1), .string("tempo")]),
    OSCMessage("/downbeat/set", [.string("pause"), .string("perhaps")]),
  ])
  func `an invalid message is refused with a sentence`(message: OSCMessage) {
    #expect(throws: ControlError.self) { try OSCWords.actions(of: message) }
  }

  @Test func `a similar name is suggested`() {
    #expect { try actions("/downbeat/muet") } throws: {
      "\($0)" == "unknown address (did you mean /downbeat/mute?)"
    }
  }
}
