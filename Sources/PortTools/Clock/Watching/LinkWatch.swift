// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LinkSessions
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// Measures an Ableton Link session as one of its peers, with a line per second.
struct LinkWatch {
  let json: Bool
  let duration: TypedTime?
  /// The network interfaces on which peers are searched; empty for all with a private address.
  let interfaces: [String]

  /// Measures until a signal or the end of the time.
  ///
  /// - Throws: `RealtimeError` if a thread cannot be started; `Failure` if the output cannot be
  ///   written.
  func run() throws {
    let start = DeadlineWait.now
    var lines = LinkLines(
      session: try LinkPresence.open(at: .standard, on: interfaces), json: json, start: start,
      end: duration?.after(start))
    if let number = try RunLoop(SignalWatch()).run(&lines) { SignalWatch.die(by: number) }
  }
}

/// The work of printing a line per second about a Link session, in the run loop.
private struct LinkLines: RunLoopBody {
  private static let period: Int64 = 1_000_000_000
  /// The number of measurements from which the jitter is computed.
  private static let memory = 16

  let session: LinkSession
  let json: Bool
  private let end: Int64
  private var next: Int64
  private var errors: [Int64] = []

  init(session: LinkSession, json: Bool, start: Int64, end: Int64?) {
    self.session = session
    self.json = json
    self.end = end ?? .max
    next = start + Self.period
  }

  var deadline: Int64? { min(next, end) }

  mutating func turn() throws -> Bool {
    guard DeadlineWait.now >= next else { return DeadlineWait.now < end }
    next += Self.period
    let status = session.status
    if errors.last != status.lastError { errors.append(status.lastError) }
    if status.isFounder { errors = [] }
    if errors.count > Self.memory { errors.removeFirst() }
    let line = line(status)
    if json {
      try Terminal.output(JSONValue.object([("v", 1)] + line.members))
    } else {
      try Terminal.output(line.text)
    }
    return DeadlineWait.now < end
  }

  /// The root mean square of the measurement errors, in nanoseconds.
  private var jitter: Double {
    guard !errors.isEmpty else { return 0 }
    let sum = errors.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (sum / Double(errors.count)).squareRoot()
  }

  private func line(_ status: LinkStatus) -> WatchedLine {
    var line = WatchedLine(.link)
    line.lock = status.gatewayCount > 0 ? .locked : .idle
    line.transport = status.isPlaying ? .running : .stopped
    line.runsWithoutStart = !status.usesStartStop
    let now = HostTime(nanoseconds: DeadlineWait.now)
    line.beat = Double(status.line.firstCount(atOrAfter: now)) / 1e6
    line.tempo = (status.beatsPerMinute, nil)
    line.jitter = jitter
    line.phaseError = Double(status.lastError)
    let drift = Double(status.drift) / 1e3
    let driftWords = status.isFounder ? "" : "\(Int(drift.rounded())) ppm"
    line.facts = [
      .init(
        name: "peers", value: .integer(status.peerCount), words: status.peerCount.counted("peer")),
      .init(
        name: "interfaces", value: .integer(status.gatewayCount),
        words: status.gatewayCount > 0
          ? "" : "no network interface with a private address"),
      .init(
        name: "founder", value: .bool(status.isFounder),
        words: status.isFounder ? "clock owner" : ""),
      .init(name: "drift_ppm", value: .decimal(drift.decimal(3)), words: driftWords),
    ]
    return line
  }
}
