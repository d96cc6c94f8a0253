// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension LinkNode {
  /// Processes a datagram of discovery or measurement; other datagrams are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The datagram.
  ///   - sender: The sender.
  ///   - gateway: The gateway at which it arrived; if that is not open, the datagram is ignored.
  ///   - now: The present time.
  /// - Returns: The datagrams to send at once.
  package mutating func receive(
    _ bytes: Span<UInt8>, from sender: LinkEndpoint, on gateway: LinkGateway, at now: HostTime
  ) -> [LinkSend] {
    guard gateways[gateway] != nil else { return [] }
    do throws(LinkError) {
      if bytes.begins(with: MeasurementMessage.magic) {
        return try measure(bytes, from: sender, on: gateway, at: now)
      }
      return try discover(bytes, from: sender, on: gateway, at: now)
    } catch {
      // Damaged datagrams are ignored and not answered.
      return []
    }
  }

  private mutating func discover(
    _ bytes: Span<UInt8>, from sender: LinkEndpoint, on gateway: LinkGateway, at now: HostTime
  ) throws(LinkError) -> [LinkSend] {
    let header = try DiscoveryHeader(reading: bytes)
    guard header.node != id, header.group == 0 else { return [] }
    let key = LinkPeers.Key(node: header.node, gateway: gateway)
    if header.kind == .byeBye {
      peers.remove(key)
      lookAfterPeers(at: now)
      return []
    }
    // Before the entries are read, so that an announcement in a damaged datagram is answered too.
    var sends: [LinkSend] = []
    if header.kind == .alive, mayAnswer(at: now) {
      let answer = DiscoveryHeader(.response, timeToLive: Self.timeToLive, node: id)
      sends.append(
        LinkSend(
          bytes: answer.datagram(state(by: gateway)), destination: .peer(sender),
          gateway: gateway))
    }
    do throws(LinkError) {
      let entries = bytes.extracting(DiscoveryHeader.size..<bytes.count)
      let state = try LinkPeerState(reading: entries)
      let deadline = now.advanced(saturating: Int64(header.timeToLive) * 1_000_000_000)
      sends += take(state, of: key, until: deadline, at: now)
    } catch {
      return sends
    }
    return sends
  }

  private mutating func take(
    _ state: LinkPeerState, of key: LinkPeers.Key, until deadline: HostTime, at now: HostTime
  ) -> [LinkSend] {
    guard let session = state.session, let timeline = state.timeline, timeline.isPlausible,
      peers.take(state, session: session, of: key, until: deadline)
    else { return [] }
    let sends =
      session == self.session
      ? follow(timeline.clamped, state.startStop)
      : consider(session, timeline.clamped, at: now)
    lookAfterPeers(at: now)
    return sends
  }

  /// Applies the state of a member of our session: the greater beat origin, and the later start or
  /// stop.
  private mutating func follow(
    _ timeline: LinkTimeline, _ startStop: LinkStartStop?
  ) -> [LinkSend] {
    hadPeers = true
    var isNew = false
    if timeline.beatOrigin > self.timeline.beatOrigin {
      self.timeline = timeline
      isNew = true
    }
    // A start or stop more than a century in the future is invalid.
    if let startStop, startStop.timestamp > self.startStop.timestamp,
      startStop.timestamp < 1 << 53
    {
      self.startStop = startStop
      isNew = true
    }
    if isNew { tellChange() }
    return []
  }

  private mutating func measure(
    _ bytes: Span<UInt8>, from sender: LinkEndpoint, on gateway: LinkGateway, at now: HostTime
  ) throws(LinkError) -> [LinkSend] {
    switch try MeasurementMessage.kind(of: bytes) {
    case .ping:
      let pong = MeasurementMessage.pong(
        to: bytes, session: session, ghostTime: ghost.microseconds(at: now))
      guard let pong, mayAnswer(at: now) else { return [] }
      return [LinkSend(bytes: pong, destination: .measurement(sender), gateway: gateway)]
    case .pong:
      let pong = try MeasurementMessage(reading: bytes)
      return take(pong, from: sender, on: gateway, at: now)
    }
  }

  /// Limits the answers per second, so that this node cannot be used to flood others.
  private mutating func mayAnswer(at now: HostTime) -> Bool {
    let second = now.nanoseconds / 1_000_000_000
    if answers.second != second { answers = (second, 0) }
    answers.count += 1
    return answers.count <= Self.answersPerSecond
  }
}
