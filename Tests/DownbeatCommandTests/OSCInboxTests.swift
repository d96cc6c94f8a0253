// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import NetworkSockets
import OpenSoundControl
import Testing

@testable import DownbeatCommand

/// What comes by Open Sound Control, as a value.
@Suite struct OSCInboxTests {
  /// A player that notes what it is told, and when that is to be heard.
  private final class Target: ControlTarget {
    static let kind = PlayStatus.Kind.song
    static let verbs = ControlVerb.allCases
    var status = PlayStatus()
    var hasMoved = false
    var said = ""
    private(set) var done: [PlayCommand] = []
    private(set) var times: [HostTime?] = []

    static func takes(_ command: PlayCommand) -> Bool { true }

    func lead(of command: PlayCommand) -> Duration? {
      if case .setPaused = command { .milliseconds(150) } else { nil }
    }

    func perform(_ command: PlayCommand, at time: HostTime?) throws {
      if command == .tap { throw Failure(.usage, "tap: not now") }
      done.append(command)
      times.append(time)
      hasMoved = command == .file(1)
    }
  }

  private static let sender = SocketAddress(.loopbackV4, port: 9)
  private static let clock = OSCClock(
    wall: 1_800_000_000_000_000_000, host: HostTime(nanoseconds: 5_000_000_000))
  private static let start = HostTime(nanoseconds: 5_000_000_000)

  private static func bundle(_ elements: [OSCPacket], after delay: Duration) -> OSCPacket {
    .bundle(OSCBundle(elements, at: clock.tag(of: start + delay)))
  }

  private static func message(_ name: String, _ arguments: OSCValue...) -> OSCPacket {
    .message(OSCMessage("/downbeat/\(name)", arguments))
  }

  private func take(
    _ packets: OSCPacket..., into inbox: inout OSCInbox, at now: HostTime = start
  ) throws {
    for packet in packets {
      inbox.take(try packet.bytes(), from: Self.sender, Self.clock, at: now)
    }
  }

  @Test func `a message is done at once, in its order`() throws {
    var inbox = OSCInbox()
    let target = Target()
    try take(Self.message("louder"), Self.message("softer"), into: &inbox)
    var acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.volume(1), .volume(-1)])
    #expect(target.times == [nil, nil])
    acts = inbox.perform(target, at: Self.start)
    #expect(!acts)
  }

  @Test func `a bundle's instant goes with what can be told ahead, and is waited for by the rest`()
    throws
  {
    var inbox = OSCInbox()
    let target = Target()
    let both = [Self.message("louder"), Self.message("play")]
    try take(Self.bundle(both, after: .milliseconds(200)), into: &inbox)
    #expect(inbox.nextTime == Self.start + .milliseconds(200))
    var acts = inbox.perform(target, at: Self.start + .milliseconds(49))
    #expect(!acts)
    acts = inbox.perform(target, at: Self.start + .milliseconds(50))
    #expect(acts)
    #expect(target.done == [.setPaused(false)])
    #expect(target.times == [Self.start + .milliseconds(200)])
    acts = inbox.perform(target, at: Self.start + .milliseconds(199))
    #expect(!acts)
    acts = inbox.perform(target, at: Self.start + .milliseconds(200))
    #expect(acts)
    #expect(target.done == [.setPaused(false), .volume(1)] && inbox.reports == [])
  }

  @Test func `a late bundle is done at once, and that is told once a second`() throws {
    var inbox = OSCInbox()
    let target = Target()
    for _ in 0..<3 {
      try take(
        Self.bundle([Self.message("play")], after: .microseconds(-12_300)), into: &inbox)
    }
    let acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done.count == 3)
    #expect(target.times == [nil, nil, nil])
    #expect(inbox.takeReports() == ["OSC: a bundle came 12.3 ms late, and was done at once"])
    #expect(inbox.output.isEmpty)
  }

  @Test func `a bundle in another is due no earlier`() throws {
    var inbox = OSCInbox()
    let target = Target()
    let inner = Self.bundle([Self.message("louder")], after: .milliseconds(100))
    let later = Self.bundle([Self.message("softer")], after: .milliseconds(500))
    try take(Self.bundle([inner, later], after: .milliseconds(300)), into: &inbox)
    var acts = inbox.perform(target, at: Self.start + .milliseconds(299))
    #expect(!acts)
    acts = inbox.perform(target, at: Self.start + .milliseconds(300))
    #expect(acts)
    #expect(target.done == [.volume(1)])
    acts = inbox.perform(target, at: Self.start + .milliseconds(500))
    #expect(acts)
    #expect(target.done == [.volume(1), .volume(-1)])
  }

  private func answers(_ inbox: inout OSCInbox) -> [OSCMessage] {
    inbox.takeOutput().compactMap {
      if case .message(let message) = $0.packet { message } else { nil }
    }
  }

  @Test func `questions and what is wrong are answered, what is foreign is not`() throws {
    var inbox = OSCInbox()
    let target = Target()
    try take(
      Self.message("get", .string("kind")), Self.message("get", .string("mute")),
      Self.message("tap"), Self.message("muet"), .message(OSCMessage("/error", [.string("x")])),
      .message(OSCMessage("/clock", [.int32(1)])), into: &inbox)
    inbox.take([1, 2, 3], from: Self.sender, Self.clock, at: Self.start)
    inbox.take(
      [UInt8](repeating: 0, count: 8193), from: Self.sender, Self.clock, at: Self.start)
    _ = inbox.perform(target, at: Self.start)
    let messages = answers(&inbox)
    #expect(
      messages.map(\.address) == ["/error", "/error", "/error", "/property", "/property", "/error"])
    #expect(
      messages[0].arguments == [
        .string("/downbeat/muet"),
        .string("there is no such address (did you mean /downbeat/mute?)"),
      ])
    #expect(messages[3].arguments == [.string("kind"), .string("song")])
    #expect(messages[4].arguments == [.string("mute"), .null])
    #expect(messages[5].arguments == [.string("/downbeat/tap"), .string("tap: not now")])
    #expect(inbox.takeReports() == ["OSC: /error: addresses begin with /downbeat/"])
    try take(Self.message("status"), into: &inbox)
    _ = inbox.perform(target, at: Self.start)
    guard case .bundle(let bundle)? = inbox.takeOutput().first?.packet else {
      Issue.record("no bundle")
      return
    }
    #expect(bundle.elements.count == ControlProperty.allCases.count - 2)
  }

  @Test func `whatever comes takes a bounded part`() throws {
    var inbox = OSCInbox()
    let target = Target()
    for _ in 0..<3000 { try take(Self.message("louder"), into: &inbox) }
    let acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done.count == OSCInbox.mostInSecond)
    #expect(
      inbox.takeReports() == ["OSC: messages came too fast; 1 are left out so far"])
    // A tenth of a second later a tenth may come, in a bundle too.
    let many = Self.bundle((0..<250).map { _ in Self.message("softer") }, after: .zero)
    try take(many, into: &inbox, at: Self.start + .milliseconds(100))
    _ = inbox.perform(target, at: Self.start + .seconds(1))
    #expect(target.done.count == OSCInbox.mostInSecond + 100)
    // And of those that wait, so many.
    for second in 0..<3 {
      for _ in 0..<900 {
        try take(
          Self.bundle([Self.message("play")], after: .seconds(3600)), into: &inbox,
          at: Self.start + .seconds(10 + second))
      }
    }
    let refused = answers(&inbox).map(\.arguments)
    #expect(refused.last?.last == .string("1024 commands wait already"))
    #expect(refused.count <= 3 * OSCInbox.mostAnswersInSecond)
    try take(
      Self.bundle([Self.message("play")], after: .seconds(90_000)), into: &inbox,
      at: Self.start + .seconds(60))
    #expect(answers(&inbox).first?.arguments.last == .string("its time lies more than a day ahead"))
  }

  @Test func `what comes after a move waits for the next song`() throws {
    var inbox = OSCInbox()
    let target = Target()
    try take(Self.message("next"), Self.message("louder"), into: &inbox)
    var acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.file(1)])
    target.hasMoved = false
    acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.file(1), .volume(1)])
  }
}
