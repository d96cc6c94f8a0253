// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// A peer of Ableton Link as a value: it takes datagrams and the time, and returns datagrams.
///
/// At first it founds its own session, and then joins the oldest one that it finds; a peer that
/// joins later never changes an older session's tempo. The node does not wait or read a clock: call
/// `due(at:)` at `nextDue`, and send the returned datagrams at once.
package struct LinkNode: Sendable {
  /// A session that this node is not in.
  struct OtherSession: Sendable {
    var timeline: LinkTimeline
    /// The time of its last measurement; nil before the first.
    var measured: HostTime?
  }

  /// The time in seconds for which an announcement is valid.
  static let timeToLive: UInt8 = 5
  /// The interval of announcements, in nanoseconds.
  static let alivePeriod: Int64 = 250_000_000
  /// The least distance of announcements, in nanoseconds.
  static let aliveSpacing: Int64 = 50_000_000
  /// The maximum number of other sessions.
  package static let sessionCapacity = 1_000
  /// The maximum number of simultaneous measurements.
  static let chainCapacity = 4
  /// The maximum number of answers per second.
  static let answersPerSecond = 5_000

  /// The name of this node; it changes when all other peers have left.
  package internal(set) var id: LinkID
  /// The session of this node.
  package internal(set) var session: LinkID
  /// The timeline of the session's beats.
  package internal(set) var timeline: LinkTimeline
  /// The play state of the session.
  package internal(set) var startStop = LinkStartStop.untouched
  /// The other peers.
  package internal(set) var peers = LinkPeers()
  /// The number of changes of the session's line or play state.
  package internal(set) var changes: UInt32 = 0

  var founded: LinkGhost
  var tracker: GhostTracker?
  var hadPeers = false
  var others: [LinkID: OtherSession] = [:]
  var chains: [PingChain] = []
  var burst: PingChain?
  var nextBurst = HostTime(nanoseconds: .max)
  var burstCount = 0
  var gateways: [LinkGateway: Announcement] = [:]
  var random: LinkRandom
  var answers = (second: Int64.min, count: 0)

  /// The announcements through a gateway.
  struct Announcement: Sendable {
    let endpoint: LinkEndpoint
    var last: HostTime?
    var isDue = true

    var next: HostTime {
      guard let last else { return HostTime(nanoseconds: .min) }
      return last.advanced(
        saturating: isDue ? LinkNode.aliveSpacing : LinkNode.alivePeriod)
    }
  }

  /// Creates a node, which founds a session.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The tempo, limited to the range of `LinkTimeline.tempi`.
  ///   - seed: The seed for random names, which must differ between nodes.
  ///   - now: The present time, at which the session's beat is 0.
  package init(microsecondsPerBeat: Int64, seed: UInt64, at now: HostTime) {
    random = LinkRandom(seed: seed)
    id = random.id()
    session = id
    timeline =
      LinkTimeline(microsecondsPerBeat: microsecondsPerBeat, beatOrigin: 0, timeOrigin: 0).clamped
    founded = .founded(at: now)
  }

  /// The relation of the session's time to host time.
  package var ghost: LinkGhost { tracker?.ghost ?? founded }

  /// The line from the session's micro-beats to host time.
  package var line: Timeline<MicroBeat, HostTime> { ghost.line(timeline) }

  /// The number of other peers in the session.
  package var peerCount: Int { peers.count(in: session) }

  /// The difference of the founder's clock from its prediction in the last measurement, in
  /// nanoseconds; 0 in our own session.
  package var lastError: Int64 { tracker?.lastError ?? 0 }

  /// The number of other known sessions.
  package var otherSessionCount: Int { others.count }

  /// True while another session is measured, which may then be joined.
  package var isMeasuring: Bool { !chains.isEmpty }

  /// True if this node founded the session.
  package var isFounder: Bool { session == id }

  /// Opens a gateway; the node announces itself at once.
  ///
  /// - Parameters:
  ///   - gateway: The gateway.
  ///   - endpoint: The address at which this node answers pings.
  package mutating func open(_ gateway: LinkGateway, answeringAt endpoint: LinkEndpoint) {
    gateways[gateway] = Announcement(endpoint: endpoint)
  }

  /// Closes a gateway, and drops the peers behind it.
  ///
  /// - Parameters:
  ///   - gateway: The gateway.
  ///   - now: The present time.
  /// - Returns: The farewell datagram, if the gateway was open.
  package mutating func close(_ gateway: LinkGateway, at now: HostTime) -> [LinkSend] {
    guard gateways.removeValue(forKey: gateway) != nil else { return [] }
    peers.remove(by: gateway)
    chains.removeAll { $0.gateway == gateway }
    if burst?.gateway == gateway { burst = nil }
    let farewell = farewell(by: gateway)
    lookAfterPeers(at: now)
    return [farewell]
  }

  /// Leaves the network.
  ///
  /// - Returns: The farewell datagrams.
  package func leave() -> [LinkSend] { gateways.keys.sorted().map(farewell) }

  private func farewell(by gateway: LinkGateway) -> LinkSend {
    LinkSend(
      bytes: DiscoveryHeader(.byeBye, timeToLive: 0, node: id).datagram(), destination: .group,
      gateway: gateway)
  }

  /// Changes the tempo of the session for all peers.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The length of a beat, limited to the range of `LinkTimeline.tempi`.
  ///   - time: The time of the change, close to now because peers receive it only then.
  package mutating func setTempo(_ microsecondsPerBeat: Int64, at time: HostTime) {
    let changed = timeline.changed(
      to: microsecondsPerBeat, atGhost: ghost.microseconds(at: time))
    guard changed.microsecondsPerBeat != timeline.microsecondsPerBeat else { return }
    timeline = changed
    tellChange()
  }

  /// Starts or stops the session for all peers that follow its play state.
  ///
  /// - Parameters:
  ///   - isPlaying: True to start the session.
  ///   - beats: The beat from which this applies, in micro-beats.
  ///   - now: The time of the command.
  package mutating func setPlaying(_ isPlaying: Bool, atBeats beats: Int64, now: HostTime) {
    let stamp = max(ghost.microseconds(at: now), startStop.timestamp + 1)
    startStop = LinkStartStop(isPlaying: isPlaying, beats: beats, timestamp: stamp)
    tellChange()
  }

  /// Announces a change at once.
  mutating func tellChange() {
    changes &+= 1
    for gateway in gateways.keys { gateways[gateway]?.isDue = true }
  }

  /// True if a change has not been announced yet.
  package var owesWord: Bool { gateways.values.contains(where: \.isDue) }

  /// The state of this node in announcements through a gateway.
  func state(by gateway: LinkGateway) -> LinkPeerState {
    LinkPeerState(
      timeline: timeline, session: session, startStop: startStop,
      endpoint: gateways[gateway]?.endpoint)
  }
}
