// SPDX-License-Identifier: Apache-2.0
import LinkProtocol
import MusicalTime
import TestSupport

/// Nodes on one network with delay, jitter and loss, each with its own clock; by hand.
struct SimulatedNetwork {
  /// A peer and its clock.
  struct Station {
    var node: LinkNode
    /// The start of its clock in nanoseconds of true time, and its difference in millionths.
    var origin: Int64
    var fast: Double
    var isThere = true
    /// The times of its announcements, in true time.
    var alives: [Int64] = []

    func clock(_ time: Int64) -> HostTime {
      let passed = Double(time - origin)
      return HostTime(
        nanoseconds: 1_000_000_000 + (time - origin) + Int64((passed * fast / 1e6).rounded()))
    }
  }

  private struct Letter {
    var time: Int64
    var receiver: Int
    var sender: LinkEndpoint
    var bytes: [UInt8]
  }

  private static let gateway = LinkGateway(interface: 1)
  var stations: [Station] = []
  var delay: ClosedRange<Int64> = 50_000...60_000
  var loss = 0.0
  private(set) var time: Int64 = 0
  private var random: SplitMix
  private var letters: [Letter] = []

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static func endpoint(_ station: Int, measuring: Bool) -> LinkEndpoint {
    LinkEndpoint(.v4(0x0a00_0001), port: UInt16((measuring ? 2_000 : 1_000) + station))
  }

  /// Adds a peer; returns its number.
  @discardableResult
  mutating func join(tempo: Int64 = 500_000, fast: Double = 0, clock: Int64 = 0) -> Int {
    var station = Station(
      node: LinkNode(microsecondsPerBeat: 500_000, seed: random.next(), at: .zero),
      origin: time - clock, fast: fast)
    station.node = LinkNode(
      microsecondsPerBeat: tempo, seed: random.next(), at: station.clock(time))
    station.node.open(
      Self.gateway, answeringAt: Self.endpoint(stations.count, measuring: true))
    stations.append(station)
    return stations.count - 1
  }

  /// Removes a peer, with a farewell or without.
  mutating func leave(_ station: Int, quietly: Bool = false) {
    if !quietly { post(stations[station].node.leave(), from: station) }
    stations[station].isThere = false
  }

  /// The present beat of a peer, in micro-beats.
  func beat(_ station: Int) -> Int64 {
    stations[station].node.line.firstCount(atOrAfter: stations[station].clock(time))
  }

  /// Performs an action on a peer at the time of its clock.
  mutating func act(_ station: Int, _ action: (inout LinkNode, HostTime) -> Void) {
    action(&stations[station].node, stations[station].clock(time))
  }

  mutating func run(_ seconds: Double, each: (SimulatedNetwork) -> Void = { _ in }) {
    let end = time + Int64(seconds * 1e9)
    var look = time
    while time < end {
      deliver()
      for index in stations.indices where stations[index].isThere {
        let now = stations[index].clock(time)
        if stations[index].node.nextDue <= now {
          let sends = stations[index].node.due(at: now)
          if sends.contains(where: { $0.destination == .group }) {
            stations[index].alives.append(time)
          }
          post(sends, from: index)
        }
      }
      if time >= look {
        each(self)
        look += 100_000_000
      }
      // A thread wakes at most half a millisecond late.
      let next = letters.map(\.time).min() ?? .max
      time = min(max(next, time + 1), time + 500_000)
    }
  }

  private mutating func deliver() {
    let due = letters.filter { $0.time <= time }.sorted { $0.time < $1.time }
    letters.removeAll { $0.time <= time }
    for letter in due where stations[letter.receiver].isThere {
      let sends = stations[letter.receiver].node.receive(
        letter.bytes.span, from: letter.sender, on: Self.gateway,
        at: stations[letter.receiver].clock(time))
      post(sends, from: letter.receiver)
    }
  }

  private mutating func post(_ sends: [LinkSend], from sender: Int) {
    for send in sends {
      switch send.destination {
      case .group:
        for index in stations.indices {
          post(send.bytes, to: index, from: Self.endpoint(sender, measuring: false))
        }
      case .peer(let endpoint):
        post(
          send.bytes, to: Int(endpoint.port) - 1_000,
          from: Self.endpoint(sender, measuring: false))
      case .measurement(let endpoint):
        post(
          send.bytes, to: Int(endpoint.port) - 2_000,
          from: Self.endpoint(sender, measuring: true))
      }
    }
  }

  private mutating func post(_ bytes: [UInt8], to receiver: Int, from sender: LinkEndpoint) {
    guard Double.random(in: 0..<1, using: &random) >= loss else { return }
    letters.append(
      Letter(
        time: time + .random(in: delay, using: &random), receiver: receiver, sender: sender,
        bytes: bytes))
  }
}
