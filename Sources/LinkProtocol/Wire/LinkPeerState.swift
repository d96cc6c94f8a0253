// SPDX-License-Identifier: Apache-2.0

/// The state that a peer announces: its session, its timeline and its address.
///
/// Missing entries are nil, and unknown ones are skipped. If an entry appears twice, the last
/// applies.
package struct LinkPeerState: Hashable, BitwiseCopyable, Sendable {
  /// The timeline of its session.
  package var timeline: LinkTimeline?
  /// Its session.
  package var session: LinkID?
  /// The play state of its session.
  package var startStop: LinkStartStop?
  /// The address at which it answers pings.
  package var endpoint: LinkEndpoint?

  /// Creates a state.
  package init(
    timeline: LinkTimeline? = nil, session: LinkID? = nil, startStop: LinkStartStop? = nil,
    endpoint: LinkEndpoint? = nil
  ) {
    (self.timeline, self.session) = (timeline, session)
    (self.startStop, self.endpoint) = (startStop, endpoint)
  }

  /// Reads the entries that follow a `DiscoveryHeader`.
  ///
  /// - Parameter bytes: The bytes of the datagram after its header.
  /// - Throws: `LinkError.cut` and `LinkError.badEntry`.
  package init(reading bytes: Span<UInt8>) throws(LinkError) {
    var state = LinkPeerState()
    try LinkEntries.forEach(in: bytes) { (key, value) throws(LinkError) in
      switch key {
      case LinkEntries.Key.timeline:
        try LinkEntries.check(value, is: 24, for: key)
        state.timeline = LinkTimeline(
          microsecondsPerBeat: value.signed(at: 0), beatOrigin: value.signed(at: 8),
          timeOrigin: value.signed(at: 16))
      case LinkEntries.Key.session:
        try LinkEntries.check(value, is: 8, for: key)
        state.session = LinkID(bits: value.number(at: 0, size: 8))
      case LinkEntries.Key.startStop:
        try LinkEntries.check(value, is: 17, for: key)
        state.startStop = LinkStartStop(
          isPlaying: value[0] != 0, beats: value.signed(at: 1), timestamp: value.signed(at: 9))
      case LinkEntries.Key.endpointV4:
        try LinkEntries.check(value, is: 6, for: key)
        let address = UInt32(truncatingIfNeeded: value.number(at: 0, size: 4))
        state.endpoint = LinkEndpoint(.v4(address), port: value.port(at: 4))
      case LinkEntries.Key.endpointV6:
        try LinkEntries.check(value, is: 18, for: key)
        let high = UInt128(value.number(at: 0, size: 8))
        let address = high << 64 | UInt128(value.number(at: 8, size: 8))
        state.endpoint = LinkEndpoint(.v6(address), port: value.port(at: 16))
      default: break
      }
    }
    self = state
  }

  func append(to bytes: inout [UInt8]) {
    if let timeline {
      bytes.append(entry: LinkEntries.Key.timeline, size: 24)
      bytes.append(number: timeline.microsecondsPerBeat)
      bytes.append(number: timeline.beatOrigin)
      bytes.append(number: timeline.timeOrigin)
    }
    if let session {
      bytes.append(entry: LinkEntries.Key.session, size: 8)
      bytes.append(number: session.bits)
    }
    if let startStop {
      bytes.append(entry: LinkEntries.Key.startStop, size: 17)
      bytes.append(startStop.isPlaying ? 1 : 0)
      bytes.append(number: startStop.beats)
      bytes.append(number: startStop.timestamp)
    }
    switch endpoint?.address {
    case .v4(let address):
      bytes.append(entry: LinkEntries.Key.endpointV4, size: 6)
      bytes.append(number: address)
    case .v6(let address):
      bytes.append(entry: LinkEntries.Key.endpointV6, size: 18)
      bytes.append(number: address)
    case nil: return
    }
    bytes.append(number: endpoint?.port ?? 0)
  }
}

extension Span<UInt8> {
  fileprivate func port(at place: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: number(at: place, size: 2))
  }
}
