// SPDX-License-Identifier: Apache-2.0
import LinkProtocol
import MusicalTime
import TestSupport

/// Datagrams of Link, damaged, from many peers and sessions: a node answers little, keeps little,
/// and its own tempo stays one that a session may have.
struct LinkTarget: FuzzTarget {
  private let scene: FuzzScene
  private var node: LinkNode
  private var now = HostTime(nanoseconds: 1_000_000_000)
  private let gateway = LinkGateway(interface: 1)
  private var pings: [[UInt8]] = []
  private var (answers, joins) = (0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
    node = LinkNode(microsecondsPerBeat: 500_000, seed: 1, at: now)
    node.open(gateway, answeringAt: Self.endpoint(1))
  }

  var tally: String { "\(answers) datagrams sent, \(joins) sessions joined" }

  private static func endpoint(_ port: UInt16) -> LinkEndpoint {
    LinkEndpoint(.v4(0x7f00_0001), port: port)
  }

  mutating func attack(_ random: inout SplitMix) throws {
    now = now.advanced(byNanoseconds: .random(in: 0...20_000_000, using: &random))
    let port = UInt16.random(in: 2...40, using: &random)
    var bytes = datagram(from: port, &random)
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    let session = node.session
    let sends =
      node.receive(bytes.span, from: Self.endpoint(port), on: gateway, at: now)
      + (node.nextDue <= now ? node.due(at: now) : [])
    try FuzzFault.unless(sends.count <= 12, "\(sends.count) datagrams for one")
    for send in sends {
      try FuzzFault.unless(send.bytes.count <= 511, "a datagram too long")
      if case .measurement = send.destination, send.bytes[8] == 1 { pings.append(send.bytes) }
    }
    if pings.count > 50 { pings.removeFirst(pings.count - 50) }
    try FuzzFault.unless(
      LinkTimeline.tempi.contains(node.timeline.microsecondsPerBeat), "a tempo out of range")
    try FuzzFault.unless(
      node.peers.all.count <= LinkPeers.capacity
        && node.otherSessionCount
          <= LinkNode.sessionCapacity,
      "more kept than there is room for")
    try FuzzFault.unless(
      node.line.timeRoundedUp(atCount: node.line.firstCount(atOrAfter: now)) >= now,
      "a beat before its time")
    if Int.random(in: 0..<2_000, using: &random) == 0 {
      node.setTempo(.random(in: 0 ... .max, using: &random), at: now)
      node.setPlaying(.random(using: &random), atBeats: 0, now: now)
    }
    answers += sends.count
    joins += session == node.session ? 0 : 1
  }

  private mutating func datagram(from port: UInt16, _ random: inout SplitMix) -> [UInt8] {
    let others: [UInt64] = [1, 2, 3, .random(in: 0 ... .max, using: &random)]
    let session = LinkID(bits: others.randomElement(using: &random) ?? 0)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return MeasurementMessage(pingAt: number(&random)).datagram
    case 1...3:
      guard let ping = pings.randomElement(using: &random) else { return [] }
      let mine = Bool.random(using: &random) ? session : node.session
      return MeasurementMessage.pong(to: ping.span, session: mine, ghostTime: number(&random))
        ?? []
    default:
      let header = DiscoveryHeader(
        [.alive, .response, .alive, .byeBye].randomElement(using: &random) ?? .alive,
        timeToLive: .random(in: 0...6, using: &random),
        node: LinkID(bits: UInt64(port)))
      let timeline = LinkTimeline(
        microsecondsPerBeat: number(&random), beatOrigin: number(&random),
        timeOrigin: number(&random))
      return header.datagram(
        LinkPeerState(
          timeline: timeline, session: Bool.random(using: &random) ? session : node.session,
          startStop: LinkStartStop(
            isPlaying: true, beats: number(&random), timestamp: number(&random)),
          endpoint: Self.endpoint(port)))
    }
  }

  private func number(_ random: inout SplitMix) -> Int64 {
    .random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random)
  }
}
