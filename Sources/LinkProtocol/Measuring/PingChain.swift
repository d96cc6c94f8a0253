// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Pings to one peer, each sent when the last was answered, with the samples from the answers.
struct PingChain: Hashable, Sendable {
  /// A sample of the difference between a session's time and host time.
  struct Sample: Hashable, Sendable {
    /// The host time of the sample.
    var time: HostTime
    /// The session's time minus host time, in nanoseconds.
    var offset: Int64
    /// The round trip in nanoseconds; nil for a sample from two answers.
    var roundTrip: Int64?
  }

  /// The time to wait for an answer before the next ping, in nanoseconds.
  private static let patience: Int64 = 50_000_000
  /// The number of consecutive pings without an answer after which a peer is given up: more than in
  /// the reference, so that a path of half a second can be measured.
  private static let retries = 12
  /// The longest valid round trip, in nanoseconds.
  private static let longestTrip: Int64 = 2_000_000_000
  /// The range of valid session times, in microseconds: ±142 years.
  private static let believed: ClosedRange<Int64> = -(1 << 52)...(1 << 52)

  let endpoint: LinkEndpoint
  let gateway: LinkGateway
  let session: LinkID
  private(set) var samples: [Sample] = []
  private(set) var asked = 0
  private(set) var answered = 0
  private var silent = 0
  private(set) var deadline: HostTime

  init(
    _ target: (endpoint: LinkEndpoint, gateway: LinkGateway), session: LinkID, at now: HostTime
  ) {
    (endpoint, gateway) = target
    self.session = session
    deadline = now
  }

  /// True if the peer does not answer any more.
  var hasFailed: Bool { silent > Self.retries }

  /// The next ping, without waiting for the last answer.
  mutating func ask(at now: HostTime, previous: Int64? = nil) -> LinkSend {
    asked += 1
    if previous == nil { silent += 1 }
    deadline = now.advanced(saturating: Self.patience)
    let ping = MeasurementMessage(
      pingAt: now.nanoseconds / 1_000, previousGhostTime: previous)
    return LinkSend(bytes: ping.datagram, destination: .measurement(endpoint), gateway: gateway)
  }

  /// True if an answer belongs to a ping of this chain.
  func accepts(_ pong: MeasurementMessage, from: LinkEndpoint, on gateway: LinkGateway) -> Bool {
    from == endpoint && gateway == self.gateway && answered < asked
  }

  /// Processes an answer; false if it is invalid.
  mutating func take(_ pong: MeasurementMessage, at now: HostTime) -> Bool {
    guard let ghost = pong.ghostTime, let asked = pong.hostTime, Self.believed.contains(ghost),
      asked > 0, asked <= now.nanoseconds / 1_000
    else { return false }
    let sent = asked * 1_000
    let trip = now.nanoseconds - sent
    guard trip <= Self.longestTrip else { return false }
    answered += 1
    silent = 0
    samples.append(
      Sample(time: now, offset: ghost * 1_000 - (sent + trip / 2), roundTrip: trip))
    if let previous = pong.previousGhostTime, Self.believed.contains(previous), previous != 0 {
      samples.append(
        Sample(time: now, offset: (ghost + previous) * 500 - sent, roundTrip: nil))
    }
    return true
  }

  /// The median of the samples, in nanoseconds.
  var median: Int64 {
    let sorted = samples.map(\.offset).sorted()
    guard let last = sorted.last else { return 0 }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2), middle > 0 else {
      return middle < sorted.count ? sorted[middle] : last
    }
    return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2
  }

  /// The sample with the shortest round trip.
  var quickest: Sample? {
    samples.filter { $0.roundTrip != nil }.min { $0.roundTrip ?? 0 < $1.roundTrip ?? 0 }
  }
}
