// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Questions to one peer's clock, each asked when the last was answered, and what the answers say.
struct PingChain: Hashable, Sendable {
  /// How far a session's time is ahead of our clock, once.
  struct Sample: Hashable, Sendable {
    /// When, on our clock.
    var time: HostTime
    /// The distance, in nanoseconds.
    var offset: Int64
    /// How long the answer took, in nanoseconds; nil where it was not one answer alone.
    var roundTrip: Int64?
  }

  /// How long an answer is waited for until the next question, in nanoseconds.
  private static let patience: Int64 = 50_000_000
  /// After how many questions in a row without an answer a peer is given up: more than the
  /// reference has, so that a path of half a second can be measured too.
  private static let retries = 12
  /// How old an answer may be, in nanoseconds.
  private static let longestTrip: Int64 = 2_000_000_000
  /// Session times that are believed, in microseconds: 142 years.
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

  /// Whether nobody answers any more.
  var hasFailed: Bool { silent > Self.retries }

  /// The next question, without waiting for the last one's answer.
  mutating func ask(at now: HostTime, previous: Int64? = nil) -> LinkSend {
    asked += 1
    if previous == nil { silent += 1 }
    deadline = now.advanced(saturating: Self.patience)
    let ping = MeasurementMessage(
      pingAt: now.nanoseconds / 1_000, previousGhostTime: previous)
    return LinkSend(bytes: ping.datagram, destination: .measurement(endpoint), gateway: gateway)
  }

  /// Whether an answer is one to a question of this chain.
  func accepts(_ pong: MeasurementMessage, from: LinkEndpoint, on gateway: LinkGateway) -> Bool {
    from == endpoint && gateway == self.gateway && answered < asked
  }

  /// Takes an answer; false where it makes no sense.
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

  /// The middle one of what the answers say, in nanoseconds.
  var median: Int64 {
    let sorted = samples.map(\.offset).sorted()
    guard let last = sorted.last else { return 0 }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2), middle > 0 else {
      return middle < sorted.count ? sorted[middle] : last
    }
    return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2
  }

  /// The quickest answer.
  var quickest: Sample? {
    samples.filter { $0.roundTrip != nil }.min { $0.roundTrip ?? 0 < $1.roundTrip ?? 0 }
  }
}
