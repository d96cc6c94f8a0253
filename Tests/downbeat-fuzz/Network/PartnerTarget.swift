// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import RTPMIDI
import TestSupport

/// Datagrams of RTP-MIDI sessions, damaged, from partners and from strangers: the two that are in a
/// session stay in it, strangers get nowhere, and little is answered and kept.
struct PartnerTarget: FuzzTarget {
  private let scene: FuzzScene
  private var nodes: [SessionNode]
  private var now = HostTime(nanoseconds: 1_000_000_000_000)
  private var heard: [(octets: [UInt8], side: SessionSide)] = []
  private var (sent, events) = (0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
    let start = now
    nodes = (0..<2 as Range<UInt64>).map { SessionNode(name: "a\($0)", seed: $0, at: start) }
    nodes[0].invite(Self.address(1), name: "b", at: now)
  }

  var tally: String { "\(sent) datagrams sent, \(events) events" }

  private static func address(_ number: UInt32, _ side: SessionSide = .control) -> SessionAddress {
    SessionAddress(.v4(0x0A00_0001 + number), port: side == .control ? 5_004 : 5_005)
  }

  mutating func attack(_ random: inout SplitMix) throws {
    now = now.advanced(byNanoseconds: .random(in: 0...20_000_000, using: &random))
    for index in 0..<2 where nodes[index].nextDue <= now { nodes[index].due(at: now) }
    exchange()
    guard nodes.allSatisfy({ $0.standings.contains { $0.isJoined } }) else { return }
    var (octets, side) = datagram(&random)
    Mutation.damage(&octets, &random)
    if Bool.random(using: &random) { octets = datagram(&random).octets }
    try scene.keep(octets)
    // From a stranger, who may know all that was said, and now and then from where the other is.
    let stranger = UInt32.random(in: 2...60, using: &random)
    let before = nodes[1].standings.first { $0.partner.address == Self.address(0) }
    nodes[1].receive(octets, from: Self.address(stranger, side), on: side, at: now)
    let after = nodes[1].standings.first { $0.partner.address == Self.address(0) }
    try FuzzFault.unless(before == after, "a stranger changes what another is to us")
    let output = nodes[1].takeOutput()
    try FuzzFault.unless(output.sends.count <= 3, "\(output.sends.count) datagrams for one")
    sent += output.sends.count
    try FuzzFault.unless(
      nodes[1].standings.count <= SessionNode.capacity, "more partners than there is room for")
    let hosts = nodes[1].standings.map(\.partner).filter { !$0.isInvited }.map(\.address.host)
    try FuzzFault.unless(
      Dictionary(grouping: hosts, by: \.self).values.allSatisfy {
        $0.count <= SessionNode.guestsPerHost
      }, "one address has too many seats")
    if Int.random(in: 0..<50, using: &random) == 0 {
      nodes[1].receive(octets, from: Self.address(0, side), on: side, at: now)
      exchange()
    }
    if Int.random(in: 0..<10, using: &random) == 0 {
      let key = UInt8.random(in: 0...127, using: &random)
      _ = nodes[0].send(Message(status: 0x90, data1: key, data2: key), at: now)
    }
  }

  /// What the two say to each other comes at once.
  private mutating func exchange() {
    for _ in 0..<4 {
      for index in 0..<2 {
        let output = nodes[index].takeOutput()
        events += output.events.count
        for send in output.sends where send.address == Self.address(UInt32(1 - index), send.side) {
          heard.append((send.octets, send.side))
          if heard.count > 64 { heard.removeFirst() }
          nodes[1 - index].receive(
            send.octets, from: Self.address(UInt32(index), send.side), on: send.side, at: now)
        }
      }
    }
  }

  private func datagram(_ random: inout SplitMix) -> (octets: [UInt8], side: SessionSide) {
    if let said = heard.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 {
      return said
    }
    let number = UInt32.random(in: 0...70, using: &random)
    let party = SessionParty(token: number, source: number, name: "x\u{1B}")
    let message: SessionMessage =
      switch Int.random(in: 0..<6, using: &random) {
      case 0...1: .invitation(party)
      case 2: .accepted(party)
      case 3: .farewell(party)
      case 4: .refused(party)
      default: .clock(source: number, ClockExchange(step: 0, asked: random.next()))
      }
    return (message.encoded, Bool.random(using: &random) ? .control : .music)
  }
}
