// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicalTime
import RTPMIDI
import TestSupport
import Testing

/// Tests for the effects of networks on the received music.
@Suite struct SessionLossTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let seeds: Range<UInt64> = 0..<(isLong ? 100 : 4)
  private static let seconds = isLong ? 120.0 : 20

  @Test(arguments: seeds)
  func `with 5 % lost and 2 % late no note stays and all is as without`(seed: UInt64) {
    var network = SimulatedSessions(seed: 500 + seed)
    network.add("one", fast: -30)
    network.add("two", fast: 40)
    network.delay = 500_000...6_000_000
    network.invite(1, by: 0)
    network.run(2)
    (network.loss, network.late) = (0.05, 0.02)
    var (player, here, there) = (RandomPlayer(), TestSynth(), TestSynth())
    var random = SplitMix(seed: seed)
    var sent = 0
    let end = network.time + Int64(Self.seconds * 1e9)
    func play(_ contents: [PacketCommand.Content]) {
      network.act(0) { node, now in
        for content in contents {
          here.play(content)
          let time = now.advanced(byNanoseconds: 20_000_000)
          let isTaken =
            switch content {
            case .message(let message): node.send(message, at: time)
            case .sysEx(let inside, _, _): node.send(sysEx: inside, at: time)
            case .cancelledSysEx: true
            }
          #expect(isTaken)
        }
      }
      sent += contents.count
    }
    while network.time < end {
      play((0..<Int.random(in: 0...3, using: &random)).map { _ in player.next(&random) })
      network.run(.random(in: 0...0.15, using: &random))
    }
    play(player.ends().map(\.content))
    network.run(4)
    for event in network.stations[1].events {
      switch event.content {
      case .message(let message): there.play(.message(message))
      case .sysEx(let inside): there.play(.sysEx(inside, opens: true, closes: true))
      }
    }
    #expect(there.sounding == here.sounding)
    #expect(there.sounding.isEmpty)
    #expect(there.state == here.state)
    #expect(there.parameters == here.parameters)
    #expect(network.stations[1].node.standings[0].lostCount > Int(Self.seconds / 4))
    #expect(network.stations.allSatisfy { $0.node.joinedCount == 1 })
    #expect(sent > Int(Self.seconds * 10))
  }

  /// The timing errors of received notes 50 ms apart, from the second minute on.
  private static func errors(
    seed: UInt64, invites: Int, fast: Double, minutes: Double = 2
  ) -> [Double] {
    var network = SimulatedSessions(seed: seed)
    network.add("one")
    // As much as the network takes at most, so that nothing is late.
    network.add("two", delay: 8_000_000, fast: fast)
    network.delay = 1_000_000...7_000_000
    network.invite(1 - invites, by: invites)
    network.run(60)
    let start = network.stations[0].clock(network.time)
    let count = Int64(minutes * 60 * 20)
    var next: Int64 = 0
    network.run(minutes * 60) { network in
      while next < count,
        start.nanoseconds + next * 50_000_000 - network.stations[0].clock(network.time).nanoseconds
          < 100_000_000
      {
        network.act(0) { node, now in
          let time = start.advanced(byNanoseconds: next * 50_000_000)
          _ = node.send(.noteOn(1, 60, velocity: UInt8(next % 100 + 1)), at: time)
        }
        next += 1
      }
    }
    network.run(1)
    let station = network.stations[1]
    return station.events.enumerated().map { index, event in
      station.truth(event.time) + Double(network.stations[0].start)
        - Double(start.nanoseconds + Int64(index) * 50_000_000)
    }
  }

  @Test(arguments: [(0, 0.0), (1, 0.0), (0, 90.0), (1, -60.0)])
  func `note distances vary by at most 0.2 ms with 3 ms of network jitter`(
    invites: Int, fast: Double
  ) {
    for seed in 0..<(Self.isLong ? 20 : 2) as Range<UInt64> {
      let errors = Self.errors(seed: 900 + seed, invites: invites, fast: fast)
      #expect(errors.count == 2_400)
      let steps = zip(errors, errors.dropFirst()).map { abs($1 - $0) }.sorted()
      #expect(steps[steps.count - 1] <= 200_000, "neighbours \(steps.suffix(3))")
      // Over ten seconds too.
      for start in stride(from: 0, to: errors.count - 200, by: 200) {
        let part = errors[start..<start + 200]
        let mean = part.reduce(0, +) / 200
        let most = part.map { abs($0 - mean) }.max() ?? 0
        #expect(most <= 200_000, "ten seconds from \(start / 20) s: \(most)")
      }
      if Self.isLong {
        let mean = errors.reduce(0, +) / Double(errors.count)
        let most = errors.map { abs($0 - mean) }.max() ?? 0
        print("seed \(seed) by \(invites) \(fast): mean \(mean / 1e6), most \(most / 1e6) ms")
      }
    }
  }
}
