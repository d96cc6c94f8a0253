// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MIDIPorts
import MusicalTime
import TestSupport
import Testing

/// Tests for the behaviour that all kinds of ports share, on ports in memory: releases, cancelled
/// events, and reconnection.
@Suite struct LoopbackPortTests {
  private static let channel = Channel(index: 3)
  private static let note = Message.noteOn(channel, Key(60), velocity: 100)

  private static func message(_ random: inout SplitMix) -> Message {
    let channel = Channel(index: .random(in: 0..<3, using: &random))
    let key = Key(.random(in: 60..<64, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: return .noteOn(channel, key, velocity: 90)
    case 2: return .noteOff(channel, key)
    case 3: return .control(channel, .sustain, value: .random(in: 0...127, using: &random))
    case 4: return .bend(channel, .random(in: 0..<16384, using: &random))
    default: return .program(channel, 7)
    }
  }

  @Test(arguments: 0..<100)
  func `whatever is sent, taken back and pulled out, silence leaves nothing stuck`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let desk = LoopbackDesk(["synth", "other"])
    let targets = try ["synth", "other"].map { try desk.endpoint($0, .destination) }
    let ports = try OutputPorts(["out"], to: targets, of: desk.ports)
    let port = ports.members[0].port
    var heard: [HostEvent] = []
    for _ in 0..<200 {
      desk.wait(.random(in: 0..<30_000_000, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        port.cancel(
          from: desk.now.advanced(byNanoseconds: .random(in: 0..<40_000_000, using: &random)))
      case 1:
        // A device that is disconnected forgets its notes.
        desk.ports.pullOut("synth")
        heard = []
        desk.wait(.random(in: 0..<30_000_000, using: &random))
        desk.ports.plugIn("synth")
        _ = try ports.update()
      case 2: port.silence()
      default:
        let time = desk.now.advanced(
          byNanoseconds: .random(in: -1_000_000..<60_000_000, using: &random))
        #expect(try port.send(HostEventBuffer([(Self.message(&random), at: time)])) == 1)
      }
      heard += desk.heard("synth")
    }
    ports.silence()
    #expect(ports.drain(within: .zero))
    heard += desk.heard("synth")
    #expect(heard.isReleased)
    #expect(desk.heard("other").isReleased)
    desk.wait(1_000_000_000)
    #expect(desk.heard("synth").isEmpty)
  }

  @Test(arguments: 0..<50)
  func `events are sent once and on time, in any order and grouping`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let desk = LoopbackDesk(["synth"])
    let ports = try OutputPorts(
      ["out"], to: [try desk.endpoint("synth", .destination)], of: desk.ports)
    let port = ports.members[0].port
    // The events that should still be sent, by a simple model.
    var owed: [(Message, at: HostTime)] = []
    var left: [(Message, at: HostTime)] = []
    var heard: [HostEvent] = []
    for count in 0..<300 {
      desk.wait(.random(in: 0..<5_000_000, using: &random))
      if count % 20 == 19 {
        let limit = desk.now.advanced(
          byNanoseconds: .random(in: -9_000_000..<9_000_000, using: &random))
        left += owed.filter { $0.at <= desk.now }
        owed = owed.filter { $0.at > desk.now && $0.at < limit }
        port.cancel(from: limit)
      }
      let events = (0..<3).map { _ in
        (
          Self.message(&random),
          at: desk.now.advanced(byNanoseconds: .random(in: 0..<30_000_000, using: &random))
        )
      }
      #expect(try port.send(HostEventBuffer(events)) == 3)
      owed += events
      for event in desk.heard("synth") {
        #expect(event.time <= desk.now)
        heard.append(event)
      }
    }
    desk.wait(1_000_000_000)
    heard += desk.heard("synth")
    left += owed
    let sent = left.map { "\($0.at.nanoseconds) \($0.0)" }.sorted()
    #expect(zip(heard, heard.messages).map { "\($0.time.nanoseconds) \($1)" }.sorted() == sent)
    for (first, second) in zip(heard, heard.dropFirst()) { #expect(first.time <= second.time) }
  }

  @Test func `a full port rejects notes but accepts every release`() throws {
    let desk = LoopbackDesk(["synth"])
    let ports = try OutputPorts(
      ["out"], to: [try desk.endpoint("synth", .destination)], of: desk.ports)
    let port = ports.members[0].port
    let later = desk.now.advanced(byNanoseconds: 1_000_000)
    let notes = HostEventBuffer(Array(repeating: (Self.note, at: later), count: 70_000))
    #expect(try port.send(notes) == 65_336)
    #expect(try port.send(HostEventBuffer([(Self.note, at: later)])) == 0)
    let release = Message.noteOff(Self.channel, Key(60))
    #expect(try port.send(HostEventBuffer([(release, at: later)])) == 1)
    #expect(!ports.drain(within: .zero))
    desk.wait(1_000_000)
    #expect(desk.heard("synth").count == 65_337)
    #expect(try port.send(notes) == 65_336)
  }

  @Test func `a port that disappears is reported by name, and reconnected later`() throws {
    let desk = LoopbackDesk(["first", "second"])
    let targets = try ["first", "second"].map { try desk.endpoint($0, .destination) }
    let ports = try OutputPorts(
      ["a", "b"], to: targets, of: desk.ports, delays: [.zero, .milliseconds(1)])
    #expect(ports.descriptors.count == 1)
    desk.ports.pullOut("second")
    #expect(try ports.update() == [.gone(targets[1])])
    #expect(try ports.update() == [])
    #expect(try !ports.members[1].port.hasListeners)
    desk.ports.plugIn("second")
    #expect(try ports.update() == [.back(targets[1])])
    #expect(ports.names(to: targets[1]) == ["port 1"])
    #expect(try ports.members[1].port.hasListeners)
    #expect(
      ports.destinations(through: MessageTransform()).map(\.delay) == [.zero, .milliseconds(1)])
    // Between two looks.
    desk.ports.pullOut("first")
    desk.ports.plugIn("first")
    #expect(try ports.update() == [.gone(targets[0]), .back(targets[0])])
    #expect("\(PortKeeper.Change.gone(targets[0]))" == "port 'loopback:first': disconnected")
    // Gone again before it could be connected.
    desk.ports.pullOut("first")
    desk.ports.plugIn("first")
    desk.ports.pullOut("first")
    #expect(try ports.update().allSatisfy { $0 == .gone(targets[0]) })
    desk.ports.plugIn("first")
    #expect(try ports.update().last == .back(targets[0]))
  }

  @Test func `destinations of two kinds give two ports, each with its own events`() throws {
    let (wire, net) = (
      LoopbackDesk(["synth", "drums"], kind: .alsa), LoopbackDesk(["studio"], kind: .rtp)
    )
    let system = PortSystem(wire.ports, net.ports)
    let targets = try system.find(["synth", "studio", "drums"], .destination)
    let ports = try OutputPorts(["out"], to: targets, of: system)
    #expect(ports.members.map(\.kind) == [.alsa, .rtp])
    #expect(ports.names(to: targets[1]) == ["port 1"])
    #expect(ports.names(to: targets[2]) == ["port 0"])
    var feed = PortFeed(ports)
    #expect(try feed.send(HostEventBuffer([(Self.note, at: wire.now)])) == 1)
    #expect(wire.heard("synth").messages == [Self.note])
    #expect(wire.heard("drums").messages == [Self.note])
    #expect(net.heard("studio").messages == [Self.note])
    ports.silence()
    #expect(net.heard("studio").messages.contains(.noteOff(Self.channel, Key(60))))
    // One of them disappears and returns.
    net.ports.pullOut("studio")
    net.ports.plugIn("studio")
    #expect(try ports.update() == [.gone(targets[1]), .back(targets[1])])
  }

  @Test func `a port without destinations has the kind in its name`() throws {
    let (wire, net) = (LoopbackDesk([], kind: .alsa), LoopbackDesk([], kind: .rtp))
    let system = PortSystem(wire.ports, net.ports)
    #expect(
      try OutputPorts(["organ"], to: [], of: system).members[0].port.description == "alsa:organ")
    #expect(
      try OutputPorts(["rtp:organ"], to: [], of: system).members[0].port.description == "rtp:organ")
    #expect(try InputPorts("rtp:organ", from: [], of: system).description == "rtp:organ")
    #expect(throws: EndpointError.noProvider(text: "jack:", available: [.alsa, .rtp])) {
      try InputPorts("jack:organ", from: [], of: system)
    }
  }

  @Test func `received events are in time order and identify their sender`() throws {
    let (wire, net) = (LoopbackDesk(["keys"], kind: .alsa), LoopbackDesk(["iPad"], kind: .rtp))
    let system = PortSystem(wire.ports, net.ports)
    let input = try InputPorts("in", from: try system.find(["keys", "ipad"], .source), of: system)
    let times = (0..<4).map { wire.now.advanced(byNanoseconds: $0 * 1000) }
    net.ports.send(
      HostEventBuffer([(Self.note, at: times[1]), (Self.note, at: times[3])]), from: "iPad")
    wire.ports.send(
      HostEventBuffer([(Self.note, at: times[0]), (Self.note, at: times[2])]), from: "keys")
    var buffer = HostEventBuffer()
    try input.drain(into: &buffer)
    #expect(buffer.events.map(\.time) == times)
    #expect(
      buffer.events.map { input.senderName($0.track) }
        == ["alsa:keys", "rtp:iPad", "alsa:keys", "rtp:iPad"].map { name in
          // A simulated ALSA port does not have a fixed number.
          name == "alsa:keys" ? input.senderName(buffer.events[0].track) : name
        })
    #expect(Set(buffer.events.map(\.track)).count == 2)
    net.ports.pullOut("iPad")
    net.ports.send(HostEventBuffer([(Self.note, at: times[3])]), from: "iPad")
    net.ports.plugIn("iPad")
    #expect(try input.keeper.update().count == 2)
    net.ports.send(HostEventBuffer([(Self.note, at: times[3])]), from: "iPad")
    buffer.removeAll()
    try input.drain(into: &buffer)
    #expect(buffer.events.count == 1)
  }

  @Test func `events that do not fit are counted, and held notes are released`() throws {
    let desk = LoopbackDesk(["keys"])
    let input = try InputPorts("in", from: [try desk.endpoint("keys", .source)], of: desk.ports)
    let notes = HostEventBuffer(Array(repeating: (Self.note, at: desk.now), count: 65_537))
    desk.ports.send(notes, from: "keys")
    #expect(input.overflows == 1)
    var buffer = HostEventBuffer()
    try input.drain(into: &buffer)
    #expect(Array(buffer.events).isReleased)
  }

  @Test func `a thru between two kinds carries what passes, and ends what it began`() throws {
    let (wire, net) = (LoopbackDesk(["keys"], kind: .alsa), LoopbackDesk(["studio"], kind: .rtp))
    let system = PortSystem(wire.ports, net.ports)
    var transform = MessageTransform()
    transform.transposition = 12
    let thru = try system.thru(
      from: try system.find(["keys"], .source), to: try system.find(["studio"], .destination),
      through: ThruSenders(ThruMap(transform: transform)))
    #expect(!thru.isInKernel)
    wire.ports.send(HostEventBuffer([(Self.note, at: wire.now)]), from: "keys")
    try thru.pump()
    #expect(thru.isIdle)
    #expect(net.heard("studio").messages == [.noteOn(Self.channel, Key(72), velocity: 100)])
    net.ports.pullOut("studio")
    net.ports.plugIn("studio")
    #expect(try thru.update().count == 2)
    thru.end()
    #expect(net.heard("studio").messages.contains(.noteOff(Self.channel, Key(72))))
    wire.ports.send(HostEventBuffer([(Self.note, at: wire.now)]), from: "keys")
    try thru.reopen()
    try thru.pump()
    #expect(net.heard("studio").isEmpty)
  }

  @Test func `a name keeps its number when it disappears and returns`() {
    var numbers = EndpointNumbering(.jack)
    let first = numbers.address(of: "system:one")
    #expect(first == EndpointAddress(client: 208, port: 0))
    #expect(numbers.address(of: "system:two") == EndpointAddress(client: 208, port: 1))
    #expect(numbers.address(of: "system:one") == first)
    for number in 2..<9000 { _ = numbers.address(of: "more:\(number)") }
    #expect(numbers.address(of: "one more") == EndpointAddress(client: 239, port: 255))
    #expect(EndpointAddress(track: first.track) == first)
  }
}
