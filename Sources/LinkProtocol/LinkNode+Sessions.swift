// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension LinkNode {
  /// The least difference in age of two sessions that decides, in nanoseconds.
  private static let ageStep: Int64 = 500_000_000
  /// The time after which another session is measured again, in nanoseconds.
  private static let measurementLife: Int64 = 30_000_000_000
  /// The number of samples in a complete measurement.
  private static let enoughSamples = 100
  /// The number of consecutive pings to the founder.
  private static let burstLength = 16

  /// The time at which to call `due(at:)` next.
  package var nextDue: HostTime {
    var next = min(peers.nextDeadline, burst?.deadline ?? nextBurst)
    for chain in chains { next = min(next, chain.deadline) }
    for gateway in gateways.values { next = min(next, gateway.next) }
    return next
  }

  /// Performs the actions that are due.
  ///
  /// - Parameter now: The present time.
  /// - Returns: The datagrams to send at once.
  package mutating func due(at now: HostTime) -> [LinkSend] {
    peers.forget(at: now)
    lookAfterPeers(at: now)
    var sends = askAgain(at: now)
    for gateway in gateways.keys.sorted() {
      guard let announcement = gateways[gateway], announcement.next <= now else { continue }
      gateways[gateway]?.last = now
      gateways[gateway]?.isDue = false
      let header = DiscoveryHeader(.alive, timeToLive: Self.timeToLive, node: id)
      sends.append(
        LinkSend(
          bytes: header.datagram(state(by: gateway)), destination: .group, gateway: gateway))
    }
    return sends
  }

  /// Founds another session when the last peer has left ours; the beats do not change.
  ///
  /// The age of the session starts from now. Of two sessions of the same age the lower name wins,
  /// so the session gets a low name: a peer that appears within half a second must not move the
  /// beats.
  mutating func lookAfterPeers(at now: HostTime) {
    guard hadPeers, !peers.hasMember(of: session) else { return }
    let beats = timeline.beats(atGhost: ghost.microseconds(at: now))
    hadPeers = false
    id = random.lesserID()
    session = id
    timeline.beatOrigin = beats
    timeline.timeOrigin = 0
    founded = .founded(at: now)
    startStop.timestamp = 0
    tracker = nil
    burst = nil
    nextBurst = HostTime(nanoseconds: .max)
    // Sessions older than the previous one may not be older than the others.
    others = [:]
    chains = []
    tellChange()
  }

  /// Notes another session, and measures it unless it was measured recently.
  mutating func consider(
    _ session: LinkID, _ timeline: LinkTimeline, at now: HostTime
  ) -> [LinkSend] {
    if let known = others[session] {
      if timeline.beatOrigin > known.timeline.beatOrigin { others[session]?.timeline = timeline }
      if let measured = known.measured,
        now < measured.advanced(saturating: Self.measurementLife)
      {
        return []
      }
    } else {
      if others.count >= Self.sessionCapacity { forgetSession() }
      others[session] = OtherSession(timeline: timeline)
    }
    guard chains.count < Self.chainCapacity, !chains.contains(where: { $0.session == session }),
      let target = peers.target(for: session)
    else { return [] }
    var chain = PingChain(target, session: session, at: now)
    let ping = chain.ask(at: now)
    chains.append(chain)
    return [ping]
  }

  /// Makes room for another session.
  private mutating func forgetSession() {
    let unused = others.keys.first { other in !chains.contains { $0.session == other } }
    if let unused { others[unused] = nil }
  }

  /// Processes an answer, and sends the next ping.
  mutating func take(
    _ pong: MeasurementMessage, from sender: LinkEndpoint, on gateway: LinkGateway,
    at now: HostTime
  ) -> [LinkSend] {
    if var chain = burst, chain.accepts(pong, from: sender, on: gateway),
      pong.session == chain.session
    {
      guard chain.take(pong, at: now) else { return [] }
      if chain.asked < Self.burstLength {
        let ping = chain.ask(at: now, previous: pong.ghostTime)
        burst = chain
        return [ping]
      }
      burst = chain
      if chain.answered >= chain.asked { endBurst(at: now) }
      return []
    }
    let place = chains.firstIndex { $0.accepts(pong, from: sender, on: gateway) }
    guard let place else { return [] }
    guard pong.session == chains[place].session else {
      fail(at: place)
      return []
    }
    guard chains[place].take(pong, at: now) else { return [] }
    if chains[place].samples.count > Self.enoughSamples {
      decide(chains.remove(at: place), at: now)
      return []
    }
    return [chains[place].ask(at: now, previous: pong.ghostTime)]
  }

  /// Drops a session that does not answer, until it is announced again.
  private mutating func fail(at place: Int) {
    let chain = chains.remove(at: place)
    others[chain.session] = nil
  }

  /// Joins a session that is older, or of the same age with a lower name.
  private mutating func decide(_ chain: PingChain, at now: HostTime) {
    guard let other = others[chain.session] else { return }
    let offset = chain.median
    let (theirs, overflow) = now.nanoseconds.addingReportingOverflow(offset)
    let (ahead, past) = theirs.subtractingReportingOverflow(ghost.nanoseconds(at: now))
    others[chain.session]?.measured = now
    guard !overflow, !past else { return }
    let isOlder = ahead > Self.ageStep
    let isTwin = abs(ahead) < Self.ageStep && chain.session < session
    guard isOlder || isTwin else { return }
    others[session] = OtherSession(timeline: timeline, measured: now)
    others[chain.session] = nil
    session = chain.session
    timeline = other.timeline
    startStop = .untouched
    tracker = GhostTracker(
      offset: offset, roundTrip: chain.quickest?.roundTrip ?? 0, at: now)
    hadPeers = true
    burst = nil
    burstCount = 0
    nextBurst = now.advanced(saturating: burstPause)
    tellChange()
  }

  /// The time between measurements of the founder, in nanoseconds; shorter at first.
  private var burstPause: Int64 {
    burstCount < 2 ? 500_000_000 : burstCount < 4 ? 1_000_000_000 : 2_000_000_000
  }

  /// Repeats pings that were not answered, and starts those that are due.
  private mutating func askAgain(at now: HostTime) -> [LinkSend] {
    var sends: [LinkSend] = []
    for place in chains.indices.reversed() where chains[place].deadline <= now {
      let ping = chains[place].ask(at: now)
      if chains[place].hasFailed { fail(at: place) } else { sends.append(ping) }
    }
    if var chain = burst, chain.deadline <= now {
      if chain.asked < Self.burstLength {
        sends.append(chain.ask(at: now))
        burst = chain
      } else {
        endBurst(at: now)
      }
    }
    if burst == nil, nextBurst <= now, tracker != nil {
      nextBurst = now.advanced(saturating: burstPause)
      if let target = peers.target(for: session) {
        var chain = PingChain(target, session: session, at: now)
        sends.append(chain.ask(at: now))
        burst = chain
      }
    }
    return sends
  }

  /// Applies the best answer of the founder.
  private mutating func endBurst(at now: HostTime) {
    if let best = burst?.quickest {
      tracker?.take(best, at: now)
      changes &+= 1
    }
    burst = nil
    burstCount = min(burstCount + 1, 100)
    nextBurst = now.advanced(saturating: burstPause)
  }
}
