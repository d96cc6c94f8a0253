// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// One peer of Ableton Link as a value: datagrams and the time go in, datagrams come out.
///
/// It founds a session of its own first, so that whoever comes later never changes an older
/// session's tempo, and joins the oldest that it hears. Nothing here waits or reads a clock: call
/// `due` when `nextDue` has come, and send what is returned at once.
package struct LinkNode: Sendable {
  /// A session that we are not in.
  struct OtherSession: Sendable {
    var timeline: LinkTimeline
    /// When its time was measured; nil while it never was.
    var measured: HostTime?
  }

  /// For how many seconds what we say holds.
  static let timeToLive: UInt8 = 5
  /// How often we say that we are there, in nanoseconds.
  static let alivePeriod: Int64 = 250_000_000
  /// How far apart two such datagrams are at least, in nanoseconds.
  static let aliveSpacing: Int64 = 50_000_000
  /// How many other sessions are kept.
  package static let sessionCapacity = 1_000
  /// How many sessions are measured at once.
  static let chainCapacity = 4
  /// How many answers a second others get at most.
  static let answersPerSecond = 5_000

  /// Our name; another one after everybody has left.
  package internal(set) var id: LinkID
  /// The session that we are in.
  package internal(set) var session: LinkID
  /// How its beats run.
  package internal(set) var timeline: LinkTimeline
  /// Whether it plays.
  package internal(set) var startStop = LinkStartStop.untouched
  /// Everybody else.
  package internal(set) var peers = LinkPeers()
  /// How often the session's line, or whether it plays, became another.
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

  /// When we said by a way that we are there.
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

  /// Founds a session.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: Its tempo, brought into the range that sessions may have.
  ///   - seed: What the names are made of; another for every node.
  ///   - now: The time: the session's beat 0.
  package init(microsecondsPerBeat: Int64, seed: UInt64, at now: HostTime) {
    random = LinkRandom(seed: seed)
    id = random.id()
    session = id
    timeline =
      LinkTimeline(microsecondsPerBeat: microsecondsPerBeat, beatOrigin: 0, timeOrigin: 0).clamped
    founded = .founded(at: now)
  }

  /// Where the session's time lies on our clock.
  package var ghost: LinkGhost { tracker?.ghost ?? founded }

  /// The session's micro-beats on our clock.
  package var line: Timeline<MicroBeat, HostTime> { ghost.line(timeline) }

  /// How many others are in our session.
  package var peerCount: Int { peers.count(in: session) }

  /// By how much the founder's clock lay elsewhere than expected when it was last asked, in
  /// nanoseconds; 0 in a session of our own.
  package var lastError: Int64 { tracker?.lastError ?? 0 }

  /// How many sessions are known beside our own.
  package var otherSessionCount: Int { others.count }

  /// Whether a session that was heard of is being measured, so that it may yet be joined.
  package var isMeasuring: Bool { !chains.isEmpty }

  /// Whether the session is the one that we founded.
  package var isFounder: Bool { session == id }

  /// Opens a way to others; we say at once that we are there.
  ///
  /// - Parameters:
  ///   - gateway: The way.
  ///   - endpoint: Where we answer pings.
  package mutating func open(_ gateway: LinkGateway, answeringAt endpoint: LinkEndpoint) {
    gateways[gateway] = Announcement(endpoint: endpoint)
  }

  /// Closes a way, and forgets whom it led to.
  ///
  /// - Parameters:
  ///   - gateway: The way.
  ///   - now: The time.
  /// - Returns: A farewell, where it can still be sent.
  package mutating func close(_ gateway: LinkGateway, at now: HostTime) -> [LinkSend] {
    guard gateways.removeValue(forKey: gateway) != nil else { return [] }
    peers.remove(by: gateway)
    chains.removeAll { $0.gateway == gateway }
    if burst?.gateway == gateway { burst = nil }
    let farewell = farewell(by: gateway)
    lookAfterPeers(at: now)
    return [farewell]
  }

  /// Takes leave of everybody.
  ///
  /// - Returns: The farewells.
  package func leave() -> [LinkSend] { gateways.keys.sorted().map(farewell) }

  private func farewell(by gateway: LinkGateway) -> LinkSend {
    LinkSend(
      bytes: DiscoveryHeader(.byeBye, timeToLive: 0, node: id).datagram(), destination: .group,
      gateway: gateway)
  }

  /// Changes the session's tempo, for all.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The length of a beat, brought into the range that sessions may have.
  ///   - time: Where the tempo changes; near now, since nobody else learns it earlier.
  package mutating func setTempo(_ microsecondsPerBeat: Int64, at time: HostTime) {
    let changed = timeline.changed(
      to: microsecondsPerBeat, atGhost: ghost.microseconds(at: time))
    guard changed.microsecondsPerBeat != timeline.microsecondsPerBeat else { return }
    timeline = changed
    tellChange()
  }

  /// Starts or stops the session, for all that follow it.
  ///
  /// - Parameters:
  ///   - isPlaying: Whether it is to play.
  ///   - beats: From which beat on, in micro-beats.
  ///   - now: The time of the action.
  package mutating func setPlaying(_ isPlaying: Bool, atBeats beats: Int64, now: HostTime) {
    let stamp = max(ghost.microseconds(at: now), startStop.timestamp + 1)
    startStop = LinkStartStop(isPlaying: isPlaying, beats: beats, timestamp: stamp)
    tellChange()
  }

  /// Lets everybody know at once.
  mutating func tellChange() {
    changes &+= 1
    for gateway in gateways.keys { gateways[gateway]?.isDue = true }
  }

  /// Whether others have not been told yet of something that has changed.
  package var owesWord: Bool { gateways.values.contains(where: \.isDue) }

  /// What we say of ourselves by a way.
  func state(by gateway: LinkGateway) -> LinkPeerState {
    LinkPeerState(
      timeline: timeline, session: session, startStop: startStop,
      endpoint: gateways[gateway]?.endpoint)
  }
}
