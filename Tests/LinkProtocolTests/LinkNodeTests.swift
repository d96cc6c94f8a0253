// SPDX-License-Identifier: Apache-2.0
import LinkProtocol
import MusicalTime
import TestSupport
import Testing

@Suite struct LinkNodeTests {
  /// The largest distance between the beats of two peers while a network runs, in nanoseconds.
  private func distance(
    _ network: inout SimulatedNetwork, seconds: Double, _ first: Int = 0, _ second: Int = 1
  ) -> Int64 {
    var most: Int64 = 0
    network.run(seconds) { network in
      let perBeat = network.stations[first].node.timeline.microsecondsPerBeat
      let apart = abs(network.beat(first) - network.beat(second)) * perBeat / 1_000
      most = max(most, apart)
    }
    return most
  }

  @Test func `a newcomer joins the older session and never changes its tempo`() {
    for seed in 0..<10 as Range<UInt64> {
      var network = SimulatedNetwork(seed: seed)
      network.join(tempo: 480_000, clock: 77_000_000_000)
      network.run(3)
      network.join(tempo: 600_000)
      network.run(2)
      let (old, new) = (network.stations[0].node, network.stations[1].node)
      #expect(old.isFounder && new.session == old.session)
      #expect(new.timeline.microsecondsPerBeat == 480_000 && old.timeline == new.timeline)
      #expect(old.peerCount == 1 && new.peerCount == 1)
      #expect(distance(&network, seconds: 3) < 20_000)
    }
  }

  @Test func `the node reports while a session is measured`() {
    var network = SimulatedNetwork(seed: 11)
    network.delay = 5_000_000...10_000_000
    network.join()
    network.run(3)
    #expect(!network.stations[0].node.isMeasuring)
    network.join()
    var turns = 0
    network.run(3) { network in
      let node = network.stations[1].node
      if node.isMeasuring { turns += 1 }
      #expect(!(node.isMeasuring && !node.isFounder))
    }
    #expect(turns > 0 && !network.stations[1].node.isFounder)
  }

  @Test func `two peers that start at once agree, whatever their names`() {
    for seed in 0..<10 as Range<UInt64> {
      var network = SimulatedNetwork(seed: seed)
      network.join(tempo: 480_000)
      network.run(0.2)
      network.join(tempo: 600_000, clock: 5)
      network.run(3)
      let (first, second) = (network.stations[0].node, network.stations[1].node)
      #expect(first.session == second.session && first.timeline == second.timeline)
      #expect(first.session == min(first.id, second.id))
    }
  }

  @Test func `a node that is alone again continues without a step in its own session`() {
    var network = SimulatedNetwork(seed: 3)
    network.join(tempo: 480_000)
    network.run(3)
    network.join()
    network.run(3)
    let session = network.stations[1].node.session
    let line = network.stations[1].node.line
    network.leave(0)
    network.run(0.1)
    let node = network.stations[1].node
    #expect(node.session != session && node.isFounder && node.peerCount == 0)
    let now = network.stations[1].clock(network.time)
    let (before, after) = (line.firstCount(atOrAfter: now), node.line.firstCount(atOrAfter: now))
    #expect(abs(before - after) <= 10)
    #expect(node.timeline.microsecondsPerBeat == 480_000)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a peer that joins just after the last one has left moves no beats`(seed: UInt64) {
    var network = SimulatedNetwork(seed: 400 + seed)
    network.join()
    network.run(3)
    network.join()
    network.run(1)
    network.leave(0)
    network.run(0.1)
    let session = network.stations[1].node.session
    network.join()
    network.run(3)
    #expect(network.stations[1].node.session == session)
    #expect(network.stations[2].node.session == session)
  }

  @Test func `a silent peer is dropped after five seconds`() {
    var network = SimulatedNetwork(seed: 4)
    network.join()
    network.run(1)
    network.join()
    network.run(2)
    network.leave(1, quietly: true)
    network.run(4.5)
    #expect(network.stations[0].node.peerCount == 1)
    network.run(1.5)
    #expect(network.stations[0].node.peerCount == 0)
  }

  @Test func `tempo, start and stop reach all peers from either side`() {
    var network = SimulatedNetwork(seed: 5)
    for _ in 0..<3 {
      network.join()
      network.run(2)
    }
    for round in 0..<50 as Range<Int64> {
      network.act(Int(round) % 3) { $0.setTempo(400_000 + round * 1_000, at: $1) }
      network.run(0.3)
      let tempi = network.stations.map(\.node.timeline.microsecondsPerBeat)
      #expect(tempi == [400_000 + round * 1_000, tempi[0], tempi[0]])
      network.act(Int(round + 1) % 3) {
        $0.setPlaying(round.isMultiple(of: 2), atBeats: round, now: $1)
      }
      network.run(0.3)
      for station in network.stations {
        #expect(station.node.startStop.isPlaying == round.isMultiple(of: 2))
        #expect(station.node.startStop.beats == round)
      }
    }
  }

  @Test func `announcements are a quarter of a second apart, and at least 50 ms`() {
    var network = SimulatedNetwork(seed: 6)
    network.join()
    network.run(2)
    network.join()
    network.run(3)
    for round in 0..<40 as Range<Int64> {
      network.act(0) { $0.setTempo(400_000 + round, at: $1) }
      network.run(0.03)
    }
    network.run(5)
    for station in network.stations {
      let gaps = zip(station.alives, station.alives.dropFirst()).map { $1 - $0 }
      #expect(gaps.allSatisfy { (50_000_000...251_000_000).contains($0) }, "\(gaps)")
    }
  }

  @Test func `peers join within ten seconds with a tenth lost and 20 ms of jitter`() {
    for seed in 0..<20 as Range<UInt64> {
      var network = SimulatedNetwork(seed: seed)
      network.delay = 100_000...20_000_000
      network.loss = 0.1
      network.join(tempo: 480_000)
      network.run(3)
      network.join()
      network.run(10)
      #expect(network.stations[0].node.session == network.stations[1].node.session)
      #expect(network.stations[1].node.timeline.microsecondsPerBeat == 480_000)
      #expect(distance(&network, seconds: 20) < 5_000_000)
    }
  }

  @Test func `a delay of a third of a second can be measured`() {
    var network = SimulatedNetwork(seed: 8)
    network.delay = 170_000_000...171_000_000
    network.join()
    network.run(3)
    network.join()
    network.run(15)
    #expect(network.stations[0].node.session == network.stations[1].node.session)
  }

  @Test(arguments: [100.0, -100.0])
  func `crystals that differ by 100 ppm stay within 0.3 ms for ten minutes`(fast: Double) {
    var network = SimulatedNetwork(seed: 9)
    network.delay = 50_000...150_000
    network.join()
    network.run(3)
    network.join(fast: fast, clock: 123_456_789)
    network.run(2)
    #expect(distance(&network, seconds: 600) < 300_000)
  }

  @Test func `delays of up to 5 ms keep beats within a millisecond from the first second on`() {
    let farthest = (0..<40 as Range<UInt64>).map { seed in
      var network = SimulatedNetwork(seed: seed)
      network.delay = 0...5_000_000
      network.join()
      network.run(3)
      network.join(fast: 50)
      network.run(2)
      return distance(&network, seconds: 30)
    }
    #expect(farthest.allSatisfy { $0 < 1_000_000 }, "\(farthest.sorted().suffix(4))")
  }

  @Test func `three peers that join one after another have the same beat`() {
    var network = SimulatedNetwork(seed: 10)
    for fast in [0.0, 50, -50] {
      network.join(fast: fast)
      network.run(2)
    }
    #expect(distance(&network, seconds: 30, 1, 2) < 300_000)
    #expect(network.stations.allSatisfy { $0.node.peerCount == 2 })
  }

  @Test func `a damaged announcement is answered, one of another group is not`() {
    let gateway = LinkGateway(interface: 1)
    let sender = LinkEndpoint(.v4(1), port: 2)
    var node = LinkNode(microsecondsPerBeat: 500_000, seed: 1, at: .zero)
    node.open(gateway, answeringAt: sender)
    let header = DiscoveryHeader(.alive, timeToLive: 5, node: LinkID(bits: 5))
    let damaged = header.datagram() + [1, 2, 3]
    let answers = node.receive(damaged.span, from: sender, on: gateway, at: .zero)
    #expect(answers.map(\.destination) == [.peer(sender)] && node.peers.all.isEmpty)
    let foreign = DiscoveryHeader(.alive, timeToLive: 5, group: 1, node: LinkID(bits: 5))
    let mine = DiscoveryHeader(.alive, timeToLive: 5, node: node.id)
    for header in [foreign, mine] {
      let bytes = header.datagram()
      let sends = node.receive(bytes.span, from: sender, on: gateway, at: .zero)
      #expect(sends.isEmpty)
    }
  }

  @Test func `a flood of peers and sessions uses little memory and traffic`() {
    let gateway = LinkGateway(interface: 1)
    var node = LinkNode(microsecondsPerBeat: 500_000, seed: 1, at: .zero)
    node.open(gateway, answeringAt: LinkEndpoint(.v4(1), port: 2))
    let timeline = LinkTimeline(microsecondsPerBeat: 300_000, beatOrigin: 9, timeOrigin: 0)
    var sent = 0
    for index in 1...20_000 as ClosedRange<UInt64> {
      let header = DiscoveryHeader(.alive, timeToLive: 255, node: LinkID(bits: index))
      let sender = LinkEndpoint(.v4(2), port: UInt16(index % 60_000))
      let bytes = header.datagram(
        LinkPeerState(timeline: timeline, session: LinkID(bits: index), endpoint: sender))
      sent += node.receive(bytes.span, from: sender, on: gateway, at: .zero).count
    }
    #expect(node.peers.all.count == 1_000 && node.otherSessionCount <= 1_000)
    #expect(sent <= 5_010)
    #expect(node.isFounder && node.timeline.microsecondsPerBeat == 500_000)
  }
}
