// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import RTPMIDI
import TestSupport

/// Nodes on a simulated network with delay, jitter, loss and reordering.
///
/// Each has its own clock.
struct SimulatedSessions {
  /// A party and its clock.
  struct Station {
    var node: SessionNode
    /// The clock's time at true time 0, in nanoseconds, and its rate error in parts per million.
    let start: Int64
    let fast: Double
    var events: [SessionEvent] = []
    var facts: [SessionFact] = []
    /// True if its datagrams reach others, and if those of others reach it.
    var sends = true
    var hears = true
    var sentCount = 0

    func clock(_ time: Int64) -> HostTime {
      HostTime(nanoseconds: start + time + Int64((Double(time) * fast / 1e6).rounded()))
    }

    /// The true time of one of its clock's.
    func truth(_ time: HostTime) -> Double {
      Double(time.nanoseconds - start) / (1 + fast / 1e6)
    }
  }

  private struct Letter {
    var time: Int64
    var receiver: Int
    var sender: Int
    var side: SessionSide
    var octets: [UInt8]
  }

  var stations: [Station] = []
  /// Nanoseconds on the way.
  var delay: ClosedRange<Int64> = 200_000...400_000
  var loss = 0.0
  /// The proportion of datagrams, 0…1, that take 20 ms longer, so that others overtake them.
  var late = 0.0
  /// The longest delay of a thread's wake-up, in nanoseconds.
  var wakeup: Int64 = 100_000
  private(set) var time: Int64 = 0
  private var random: SplitMix
  private var letters: [Letter] = []

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  static func address(_ station: Int, _ side: SessionSide = .control) -> SessionAddress {
    SessionAddress(.v4(0x0A00_0001 + UInt32(station)), port: side == .control ? 5_004 : 5_005)
  }

  @discardableResult
  mutating func add(
    _ name: String, rules: SessionRules = SessionRules(), delay: Int64 = 5_000_000,
    fast: Double = 0, sysExSpeed: Int? = nil
  ) -> Int {
    let start = Int64.random(in: 1_000_000_000...9_000_000_000_000, using: &random)
    let now = HostTime(nanoseconds: start + time)
    stations.append(
      Station(
        node: SessionNode(
          name: name, rules: rules, delay: delay, sysExSpeed: sysExSpeed, seed: random.next(),
          at: now),
        start: start, fast: fast))
    return stations.count - 1
  }

  /// Does something to a node at the time of its clock.
  mutating func act(_ station: Int, _ action: (inout SessionNode, HostTime) -> Void) {
    action(&stations[station].node, stations[station].clock(time))
    collect(station)
  }

  mutating func ask(_ other: Int, by station: Int) {
    act(station) { node, now in
      node.invite(Self.address(other), name: "other", isQuestion: true, at: now)
    }
  }

  mutating func invite(_ other: Int, by station: Int) {
    act(station) { node, now in node.invite(Self.address(other), name: "other", at: now) }
  }

  mutating func run(_ seconds: Double, each: (inout SimulatedSessions) -> Void = { _ in }) {
    let end = time + Int64((seconds * 1e9).rounded())
    while time < end {
      deliver()
      for index in stations.indices {
        let now = stations[index].clock(time)
        if stations[index].node.nextDue <= now {
          stations[index].node.due(at: now)
          collect(index)
        }
      }
      each(&self)
      var next = letters.map(\.time).min() ?? .max
      for station in stations {
        let due = station.node.nextDue
        guard due.nanoseconds < .max / 2 else { continue }
        next = min(
          next, Int64(station.truth(due)) + .random(in: 1...max(1, wakeup), using: &random))
      }
      time = min(max(next, time + 1), time + 5_000_000, end)
    }
  }

  /// Sends a datagram of anybody's.
  mutating func inject(
    _ octets: [UInt8], to station: Int, from: SessionAddress, _ side: SessionSide
  ) {
    act(station) { node, now in node.receive(octets, from: from, on: side, at: now) }
  }

  private mutating func deliver() {
    let due = letters.filter { $0.time <= time }.sorted { $0.time < $1.time }
    letters.removeAll { $0.time <= time }
    for letter in due where stations[letter.receiver].hears {
      let now = stations[letter.receiver].clock(letter.time)
      stations[letter.receiver].node.receive(
        letter.octets, from: Self.address(letter.sender, letter.side), on: letter.side, at: now)
      collect(letter.receiver)
    }
  }

  private mutating func collect(_ index: Int) {
    let output = stations[index].node.takeOutput()
    stations[index].events += output.events
    stations[index].facts += output.facts
    stations[index].sentCount += output.sends.count
    guard stations[index].sends else { return }
    for send in output.sends {
      guard
        let receiver = stations.indices.first(where: {
          Self.address($0, send.side) == send.address
        }), Double.random(in: 0..<1, using: &random) >= loss
      else { continue }
      let isLate = Double.random(in: 0..<1, using: &random) < late
      letters.append(
        Letter(
          time: time + .random(in: delay, using: &random) + (isLate ? 20_000_000 : 0),
          receiver: receiver, sender: index, side: send.side, octets: send.octets))
    }
  }
}

extension SessionNode {
  /// The number of partners in the session.
  var joinedCount: Int { standings.count { $0.isJoined } }
}
