// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import TestSupport
import Testing

@testable import PlayerControl

/// The answers to a client of a player's socket, without a socket.
@Suite struct ControlSessionTests {
  /// A player that records its commands.
  private final class Target: ControlTarget {
    static let kind = PlayStatus.Kind.song
    static let verbs = ControlVerb.allCases
    var status = PlayStatus()
    var hasEnded = false
    var message = ""
    private(set) var done: [PlayCommand] = []
    /// The message after each command.
    var remark = ""

    static func takes(_ command: PlayCommand) -> Bool { true }

    func perform(_ command: PlayCommand, at time: HostTime?) throws {
      if command == .tap { throw ControlError(.usage, "tap: not now") }
      done.append(command)
      message = remark
      hasEnded = command == .skipFiles(1)
    }
  }

  private func answers(_ text: String, _ target: Target = Target()) -> [String] {
    var session = ControlSession()
    session.take(text.utf8)
    _ = session.answer(target)
    return lines(session)
  }

  private func lines(_ session: ControlSession) -> [String] {
    String(decoding: session.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let success = #"{"v":1,"type":"reply","request_id":3,"error":"success"}"#

  @Test func `a seek is answered with its message, other commands without`() throws {
    let target = Target()
    target.remark = SeekTime.pastEnd(171)
    let seek = answers(#"{"command":["seek","9:00"],"request_id":3}"# + "\n", target)
    #expect(seek == [Self.success.dropLast() + #","message":"past the end; now at 2:51"}"#])
    let other = answers(#"{"command":["pause"],"request_id":3}"# + "\n", target)
    #expect(other == [Self.success])
  }

  @Test(arguments: [
    ("resume", "try play"), ("gain", "try volume"),
    ("paus", "did you mean pause?"), ("xyzzy", "downbeat ctl --help lists them"),
  ])
  func `an unknown command is answered with a suggestion, not with all commands`(
    name: String, advice: String
  ) {
    let answer = answers(#"{"command":["\#(name)"]}"# + "\n")
    #expect(answer.count == 1 && answer[0].contains("unknown command '\(name)' (\(advice))"))
  }

  @Test(arguments: ControlVerb.allCases) func `every command can be parsed`(verb: ControlVerb) {
    let words: [ControlVerb: String] = [
      .seek: #","1:30""#, .tempo: #","97.5""#, .bars: ",-2", .marker: ",1", .go: ",2",
      .speed: #","80%""#,
      .transpose: ",-3", .volume: #","-3dB""#, .mute: ",[1,9]", .solo: #","2,10""#,
      .loop: #","33.1.0","41.1.0""#, .get: #","pause""#, .set: #","pause",true"#,
      .program: #",0,"41""#, .observe: #",1,"pause""#, .unobserve: ",1",
    ]
    let target = Target()
    let line = #"{"command":["\#(verb.rawValue)"\#(words[verb] ?? "")],"request_id":3}"#
    let answer = answers(line + "\n", target)
    let isRefused = verb == .tap
    #expect(answer.count == 1)
    #expect(answer[0].hasPrefix(Self.success.dropLast()) != isRefused, "\(answer)")
    #expect(answer[0].contains("tap: not now") == isRefused)
    // One word too many, and a value that is not a word.
    for extra in [#","x","x","x""#, ",{}"] where !isRefused {
      let bad = line.replacing("],", with: extra + "],")
      #expect(answers(bad + "\n")[0].contains("\"error\":\"\(verb.rawValue): "), "\(bad)")
    }
  }

  @Test(arguments: ControlProperty.allCases)
  func `every property can be read, and some can be set`(property: ControlProperty) throws {
    #expect(
      answers(#"{"command":["get_property","\#(property.rawValue)"],"request_id":3}"# + "\n")[0]
        .hasPrefix(Self.success.dropLast()))
    let values: [ControlProperty: String] = [
      .pause: "true", .position: "12.5", .percent: "50", .speed: "1.5", .volume: "-3",
      .transpose: "2", .mute: "[]", .solo: #""1-3""#, .index: "0",
      .repetition: #""list""#,
    ]
    let value = values[property] ?? "1"
    let answer = answers(
      #"{"command":["set_property","\#(property.rawValue)",\#(value)],"request_id":3}"# + "\n")[0]
    #expect((answer == Self.success) == (values[property] != nil), "\(answer)")
    #expect(property.help.contains("can be set") == (values[property] != nil))
  }

  @Test func `the documentation has a row for each command and each property`() throws {
    let text = try String(
      contentsOf: ToolRun.packageFolder.appendingPathComponent("Documentation/Control.md"),
      encoding: .utf8)
    for verb in ControlVerb.allCases {
      let usage = verb.help.usage.replacing("|", with: "/")
      #expect(text.contains("| `\(verb.rawValue)` | \(usage) | \(verb.help.text) |"), "\(verb)")
    }
    for property in ControlProperty.allCases {
      #expect(text.contains("| `\(property.rawValue)` | \(property.help) |"), "\(property)")
    }
    for (name, verbs) in [("sound", SoundControls.verbs), ("synth", SynthControls.verbs)] {
      let words = verbs.filter { $0 != .quit }.map(\.rawValue)
      #expect(text.contains("| \(name) | `\(words.joined(separator: " "))` |"), "\(name)")
    }
  }

  @Test func `the answers do not depend on the way the text is split`() {
    let target = Target()
    var text = ""
    for (index, verb) in ControlVerb.allCases.enumerated() where verb != .next {
      text += #"{"command":["\#(verb.rawValue)"],"request_id":\#(index)}"# + "\n"
    }
    text += "rubbish\n\n \n[1]\n"
    let whole = answers(text, target)
    var random = SplitMix(seed: 11)
    for _ in 0..<100 {
      let other = Target()
      var session = ControlSession()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...64, using: &random)
        session.take(rest.prefix(count))
        rest = rest.dropFirst(count)
        _ = session.answer(other)
      }
      #expect(lines(session) == whole)
      #expect(other.done == target.done)
    }
  }

  @Test func `commands after a move wait for the next song`() {
    var session = ControlSession()
    let target = Target()
    session.take((#"{"command":["next"]}"# + "\n" + #"{"command":["pause"]}"# + "\n").utf8)
    _ = session.answer(target)
    #expect(target.done == [.skipFiles(1)])
    target.hasEnded = false
    _ = session.answer(target)
    #expect(target.done == [.skipFiles(1), .setPaused(true)])
  }

  @Test func `a client that ends its input is served until all commands are answered`() {
    var session = ControlSession()
    let target = Target()
    session.take((#"{"command":["next"]}"# + "\n" + #"{"command":["pause"]}"# + "\n").utf8)
    session.endInput()
    #expect(!session.isServed)
    _ = session.answer(target)
    session.sent(session.output.count)
    // The second command waits for the next song.
    #expect(session.isOver && !session.isServed)
    target.hasEnded = false
    _ = session.answer(target)
    session.sent(session.output.count)
    #expect(target.done == [.skipFiles(1), .setPaused(true)] && session.isServed)
  }

  @Test func `a line without an end is refused, and the client is disconnected`() {
    var session = ControlSession()
    for _ in 0..<100 where session.takesInput {
      session.take([UInt8](repeating: 0x20, count: 1000))
      _ = session.answer(Target())
    }
    #expect(session.isOver)
    #expect(lines(session).count == 1 && lines(session)[0].contains("longer than 16384 bytes"))
  }

  @Test func `a client that does not read is not served, and later disconnected`() {
    var session = ControlSession()
    let target = Target()
    for id in 0..<ControlSession.mostObserved {
      session.take((#"{"command":["observe",\#(id),"time-pos"]}"# + "\n").utf8)
    }
    var taken = 0
    for round in 0..<10_000 {
      if session.takesInput {
        session.take((#"{"command":["status"]}"# + "\n").utf8)
        taken += 1
      }
      target.status.seconds = Double(round)
      _ = session.answer(target)
      session.tellChanges(target.status)
      #expect(session.output.count < 2 * ControlSession.mostWaiting)
    }
    #expect(taken < 1000)
    for _ in 0..<100_000 where !session.isOver { session.tell("pause") }
    #expect(session.isOver && session.output.isEmpty)
  }

  @Test func `changes that are not read are merged`() {
    var session = ControlSession()
    let target = Target()
    session.take((#"{"command":["observe",5,"time-pos"]}"# + "\n").utf8)
    _ = session.answer(target)
    session.sent(session.output.count)
    for time in [1.0, 1.0, 2.0] {
      target.status.seconds = time
      session.tellChanges(target.status)
    }
    #expect(
      lines(session)
        == [1, 2].map {
          #"{"v":1,"type":"event","event":"property-change","id":5,"name":"time-pos","data":\#($0).000}"#
        })
  }

  @Test(arguments: [
    ("1:30", false), ("33.1.0", false), ("-10", true), ("+1:00", true), ("-4|0|0", true),
    ("@a b", false), ("50%", false),
  ])
  func `a time with a sign is relative to the position`(text: String, isRelative: Bool) throws {
    let time = try SeekTime(parsing: text)
    #expect(try time == SeekTime(parsing: text, isRelative: isRelative))
    if text.first != "-" {
      #expect(try time != SeekTime(parsing: text, isRelative: !isRelative))
    }
  }
}
