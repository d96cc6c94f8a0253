// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import NetworkSockets
import OpenSoundControl
import Testing

@testable import PlayerControl

/// The reception of Open Sound Control messages, without a socket.
@Suite struct OSCInboxTests {
  /// A player that records its commands and their times.
  private final class Target: ControlTarget {
    static let kind = PlayStatus.Kind.song
    static let verbs = ControlVerb.allCases
    var status = PlayStatus()
    var hasEnded = false
    var message = ""
    private(set) var done: [PlayCommand] = []
    private(set) var times: [HostTime?] = []

    static func takes(_ command: PlayCommand) -> Bool { true }

    func leadTime(of command: PlayCommand) -> Duration? {
      if case .setPaused = command { .milliseconds(150) } else { nil }
    }

    func perform(_ command: PlayCommand, at time: HostTime?) throws {
      if command == .tap { throw ControlError(.usage, "tap: not now") }
      done.append(command)
      times.append(time)
      hasEnded = command == .skipFiles(1)
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

  @Test func `messages are performed at once, in order`() throws {
    var inbox = OSCInbox()
    let target = Target()
    try take(Self.message("louder"), Self.message("softer"), into: &inbox)
    var acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.changeVolume(1), .changeVolume(-1)])
    #expect(target.times == [nil, nil])
    acts = inbox.perform(target, at: Self.start)
    #expect(!acts)
  }

  @Test func `commands with a time get the bundle's time, and others wait for it`()
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
    #expect(target.done == [.setPaused(false), .changeVolume(1)] && inbox.reports == [])
  }

  @Test func `a late bundle is performed at once, and reported once a second`() throws {
    var inbox = OSCInbox()
    let target = Target()
    for _ in 0..<3 {
      try take(
        Self.bundle([Self.message("play")], after: .microseconds(-12_300)), into: &inbox)
    }
    let acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done.count == 3)
    #expect(target.times == [nil, nil, nil])
    #expect(inbox.takeReports() == ["OSC: a bundle arrived 12.3 ms late and was executed at once"])
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
    #expect(target.done == [.changeVolume(1)])
    acts = inbox.perform(target, at: Self.start + .milliseconds(500))
    #expect(acts)
    #expect(target.done == [.changeVolume(1), .changeVolume(-1)])
  }

  private func answers(_ inbox: inout OSCInbox) -> [OSCMessage] {
    inbox.takeOutput().compactMap {
      if case .message(let message) = $0.packet { message } else { nil }
    }
  }

  @Test func `queries and errors are answered, unknown addresses are not`() throws {
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
        .string("unknown address (did you mean /downbeat/mute?)"),
      ])
    #expect(messages[3].arguments == [.string("kind"), .string("song")])
    #expect(messages[4].arguments == [.string("mute"), .null])
    #expect(messages[5].arguments == [.string("/downbeat/tap"), .string("tap: not now")])
    #expect(
      inbox.takeReports() == ["OSC: /error: unknown address (addresses begin with /downbeat/)"])
    try take(Self.message("status"), into: &inbox)
    _ = inbox.perform(target, at: Self.start)
    guard case .bundle(let bundle)? = inbox.takeOutput().first?.packet else {
      Issue.record("no bundle")
      return
    }
    #expect(bundle.elements.count == ControlProperty.allCases.count - 2)
  }

  @Test func `the work for any messages is limited`() throws {
    var inbox = OSCInbox()
    let target = Target()
    for _ in 0..<3000 { try take(Self.message("louder"), into: &inbox) }
    let acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done.count == OSCInbox.mostInSecond)
    #expect(
      inbox.takeReports() == ["OSC: messages arrive too fast; 1 dropped so far"])
    // A tenth of a second later, a tenth of the limit is accepted again, also in a bundle.
    let many = Self.bundle((0..<250).map { _ in Self.message("softer") }, after: .zero)
    try take(many, into: &inbox, at: Self.start + .milliseconds(100))
    _ = inbox.perform(target, at: Self.start + .seconds(1))
    #expect(target.done.count == OSCInbox.mostInSecond + 100)
    // This many bundles can wait.
    for second in 0..<3 {
      for _ in 0..<900 {
        try take(
          Self.bundle([Self.message("play")], after: .seconds(3600)), into: &inbox,
          at: Self.start + .seconds(10 + second))
      }
    }
    let refused = answers(&inbox).map(\.arguments)
    #expect(refused.last?.last == .string("too many commands are waiting (limit: 1024)"))
    #expect(refused.count <= 3 * OSCInbox.mostAnswersInSecond)
    try take(
      Self.bundle([Self.message("play")], after: .seconds(90_000)), into: &inbox,
      at: Self.start + .seconds(60))
    #expect(
      answers(&inbox).first?.arguments.last
        == .string("the bundle's time is more than a day ahead"))
  }

  @Test func `commands after a move wait for the next song`() throws {
    var inbox = OSCInbox()
    let target = Target()
    try take(Self.message("next"), Self.message("louder"), into: &inbox)
    var acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.skipFiles(1)])
    // A time in the past is due at once, and must not overflow.
    #expect(inbox.nextTime == .zero)
    target.hasEnded = false
    acts = inbox.perform(target, at: Self.start)
    #expect(acts && target.done == [.skipFiles(1), .changeVolume(1)])
  }

  // MARK: Answers over a network

  private static let guest = SocketAddress(.v4(0xC0A8_0107), port: 9)

  private func ask(
    _ packet: OSCPacket, _ inbox: inout OSCInbox, _ target: Target, from sender: SocketAddress,
    at now: HostTime = start
  ) throws -> [OSCPacket] {
    inbox.take(try packet.bytes(), from: sender, Self.clock, at: now)
    _ = inbox.perform(target, at: now)
    let output = inbox.takeOutput()
    #expect(output.allSatisfy { $0.to == sender })
    return output.map(\.packet)
  }

  private static func number(_ packets: [OSCPacket]) -> OSCValue? {
    guard case .message(let message)? = packets.first, message.address == "/confirm" else {
      return nil
    }
    return message.arguments.first
  }

  @Test func `a network address does not get more bytes than it sent`() throws {
    var inbox = OSCInbox()
    let target = Target()
    var (sent, received) = (0, 0)
    let questions = [
      Self.message("status"), Self.message("get", .string("kind")), Self.message("muet"),
      Self.message("*"), .bundle(OSCBundle((0..<9).map { _ in Self.message("status") })),
    ]
    for round in 0..<40 {
      let question = questions[round % questions.count]
      let now = Self.start + .seconds(round)
      sent += try question.bytes().count
      for answer in try ask(question, &inbox, target, from: Self.guest, at: now) {
        received += try answer.bytes().count
      }
      #expect(received <= sent)
    }
    #expect(received > 0)
  }

  @Test func `an address that repeats its number gets every answer for ten minutes`() throws {
    var inbox = OSCInbox()
    let target = Target()
    let status = Self.message("status")
    let number = try #require(
      Self.number(try ask(status, &inbox, target, from: Self.guest)))
    // Another address cannot use the number.
    let other = SocketAddress(.v4(0xC0A8_0108), port: 9)
    _ = try ask(status, &inbox, target, from: other)
    _ = try ask(Self.message("confirm", number), &inbox, target, from: other)
    #expect(Self.number(try ask(status, &inbox, target, from: other)) != nil)
    #expect(try ask(Self.message("confirm", number), &inbox, target, from: Self.guest) == [])
    let answer = try ask(status, &inbox, target, from: Self.guest)
    guard case .bundle? = answer.first else {
      Issue.record("no status: \(answer)")
      return
    }
    let later = Self.start + .seconds(601)
    let next = try ask(status, &inbox, target, from: Self.guest, at: later)
    #expect(Self.number(next) != nil && Self.number(next) != number)
  }

  @Test func `many addresses take bounded memory`() throws {
    var paths = OSCReturnPaths()
    for host in 0..<UInt32(1000) {
      paths.receive(100, from: SocketAddress(.v4(0x0A00_0000 + host), port: 1))
    }
    let first = SocketAddress(.v4(0x0A00_0000), port: 1)
    let last = SocketAddress(.v4(0x0A00_0000 + 999), port: 1)
    #expect(
      paths.verdict(50, challengeByteCount: 20, to: first, at: Self.start) == .nothing)
    #expect(paths.verdict(50, challengeByteCount: 20, to: last, at: Self.start) == .answer)
    #expect(paths.verdict(51, challengeByteCount: 51, to: last, at: Self.start) == .nothing)
  }
}
