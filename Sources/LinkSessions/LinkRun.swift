// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import LinkProtocol
internal import MusicalTime
internal import NetworkSockets
internal import Realtime

/// The work of a session's thread: a node, its sockets, and the published state.
final class LinkRun {
  /// A command to the session.
  enum Command: Sendable {
    case tempo(Int64, at: HostTime)
    case playing(Bool, atBeats: Int64, now: HostTime)
    case end
  }

  /// The interval of searches for interfaces, in nanoseconds.
  private static let scanPeriod: Int64 = 5_000_000_000
  /// The time after which other peers must have been found, in nanoseconds.
  private static let settling: Int64 = 1_500_000_000
  /// The time after which the measurement of another session is not waited for, in nanoseconds.
  ///
  /// A slow network or a peer that sends wrong data must not delay a start.
  private static let measuring: Int64 = 5_000_000_000

  private var node: LinkNode
  private let names: [String]
  private var ways: [LinkSockets] = []
  private var nextScan = HostTime(nanoseconds: .min)
  private var buffer = [UInt8](repeating: 0, count: 1_024)
  private let settled: HostTime
  private let measured: HostTime
  private let wait: DeadlineWait
  private let mailbox: Mailbox<Command>
  private let beats: SnapshotWriter<LinkedBeats>
  private let status: SnapshotWriter<LinkStatus>
  private var sessions: UInt32 = 0
  /// True if an older session is not expected: one was joined, or discovery has had enough time.
  private var isSettled = false
  private var hasEnded = false

  init(
    _ node: LinkNode, at now: HostTime, on names: [String], wait: DeadlineWait,
    mailbox: Mailbox<Command>, beats: SnapshotWriter<LinkedBeats>,
    status: SnapshotWriter<LinkStatus>
  ) {
    (self.node, self.names) = (node, names)
    settled = now.advanced(saturating: Self.settling)
    measured = now.advanced(saturating: Self.measuring)
    (self.wait, self.mailbox, self.beats, self.status) = (wait, mailbox, beats, status)
  }

  private var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// Runs until it is ended; sends farewells at the end.
  func run() {
    // Other peers must receive the last changes.
    while !hasEnded || node.owesWord {
      let session = node.session
      mailbox.takeEach { perform($0) }
      if now >= nextScan { scan() }
      for way in ways {
        way.drain(into: &buffer) { bytes, sender in
          send(node.receive(bytes, from: sender, on: way.gateway, at: now))
        }
      }
      send(node.due(at: now))
      if node.session != session { sessions &+= 1 }
      publish()
      guard !hasEnded || node.owesWord else { break }
      let settling = [settled, measured].first { now < $0 } ?? HostTime(nanoseconds: .max)
      let next = min(node.nextDue, nextScan, settling)
      _ = wait.wait(until: next.nanoseconds, readable: ways.flatMap(\.descriptors))
    }
    send(node.leave())
  }

  private func perform(_ command: Command) {
    switch command {
    case .tempo(let tempo, let time): node.setTempo(tempo, at: time)
    case .playing(let isPlaying, let beats, let time):
      node.setPlaying(isPlaying, atBeats: beats, now: time)
    case .end: hasEnded = true
    }
  }

  private func send(_ sends: [LinkSend]) {
    for send in sends {
      ways.first { $0.gateway == send.gateway }?.send(send)
    }
  }

  private func publish() {
    // The state remains settled, even if other peers are found later.
    let isHeard = now >= settled && !node.isMeasuring
    isSettled = isSettled || !node.isFounder || isHeard || now >= measured
    let startStop = node.startStop
    let line = node.line
    let motion: LinkedBeats.Motion =
      startStop.timestamp == 0
      ? .free : startStop.isPlaying ? .playing(from: startStop.beats) : .stopped
    beats.write(
      LinkedBeats(
        line: line.rescaled(multiplier: 1, over: 1), motion: motion, sessions: sessions,
        isSettled: isSettled))
    status.write(Self.status(of: node, ways: ways.count))
  }

  static func status(of node: LinkNode, ways: Int) -> LinkStatus {
    LinkStatus(
      line: node.line, microsecondsPerBeat: node.timeline.microsecondsPerBeat,
      startStop: node.startStop, peerCount: node.peerCount, gatewayCount: ways,
      isFounder: node.isFounder, lastError: node.lastError, drift: node.ghost.drift)
  }

  /// Opens new gateways, and closes those that are gone.
  private func scan() {
    nextScan = now.advanced(saturating: Self.scanPeriod)
    let wanted: [(LinkGateway, IPAddress)]
    do throws(NetworkError) {
      wanted = Self.gateways(of: try NetworkInterface.list(), named: names)
    } catch {
      // The system cannot list interfaces at present: open gateways continue.
      return
    }
    for way in ways where !wanted.contains(where: { $0 == way.gateway && $1 == way.address }) {
      send(node.close(way.gateway, at: now))
      ways.removeAll { $0 === way }
    }
    for (gateway, address) in wanted where !ways.contains(where: { $0.gateway == gateway }) {
      do throws(NetworkError) {
        let way = try LinkSockets(gateway, at: address)
        ways.append(way)
        node.open(gateway, answeringAt: way.endpoint)
      } catch {
        // An interface without multicast, or that is not ready yet: tried again.
        continue
      }
    }
  }

  /// IPv4 on each running interface with a private address, or on the named ones and the loopback,
  /// and also IPv6.
  ///
  /// For IPv6 only link-local addresses are used. Without a name, nothing is sent on public
  /// networks.
  static func gateways(
    of interfaces: [NetworkInterface], named names: [String] = []
  ) -> [(LinkGateway, IPAddress)] {
    let running = interfaces.filter { $0.isUp && ($0.isMulticast || $0.isLoopback) }
    let wanted = running.filter {
      names.isEmpty || $0.isLoopback || names.contains($0.name)
    }
    return wanted.flatMap { interface in
      let isNamed = names.contains(interface.name)
      guard
        let four = interface.addresses.first(where: { !$0.isV6 && ($0.isPrivate || isNamed) })
      else {
        return [(LinkGateway, IPAddress)]()
      }
      var ways = [(LinkGateway(interface: interface.index), four)]
      if !interface.isLoopback,
        let six = interface.addresses.first(where: { $0.isV6 && $0.isLinkLocal })
      {
        ways.append((LinkGateway(interface: interface.index, isV6: true), six))
      }
      return ways
    }
  }
}
