// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import LinkSessions
internal import MusicalTime
internal import Realtime

/// Watches a session of Ableton Link from within: a line a second.
struct LinkWatch {
  private static let period: Int64 = 1_000_000_000
  /// How many measurements the jitter is taken from.
  private static let memory = 16

  let json: Bool
  let duration: TypedTime?

  /// Watches until a signal or the end of the time.
  ///
  /// - Throws: where no thread is left, or what is said cannot be written.
  func run() throws {
    let wait = try SignalWait(SignalWatch())
    let session = try LinkPresence.open(at: .standard)
    let start = DeadlineWait.now
    let deadline = duration?.after(start) ?? .max
    var next = start + Self.period
    var errors: [Int64] = []
    while DeadlineWait.now < deadline {
      if case .signal(let number) = wait.until(min(next, deadline)) { SignalWatch.die(by: number) }
      guard DeadlineWait.now >= next else { continue }
      next += Self.period
      let status = session.status
      if errors.last != status.lastError { errors.append(status.lastError) }
      if status.isFounder { errors = [] }
      if errors.count > Self.memory { errors.removeFirst() }
      try Terminal.output(json ? document(status, errors).description : text(status, errors))
    }
  }

  private func beat(_ status: LinkStatus) -> String {
    let now = HostTime(nanoseconds: DeadlineWait.now)
    return (Double(status.line.firstCount(atOrAfter: now)) / 1e6).decimal(3)
  }

  /// The root of the mean square of what measurements were off by, in milliseconds.
  private func jitter(_ errors: [Int64]) -> Double {
    guard !errors.isEmpty else { return 0 }
    let sum = errors.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (sum / Double(errors.count)).squareRoot() / 1e6
  }

  private func text(_ status: LinkStatus, _ errors: [Int64]) -> String {
    guard status.gatewayCount > 0 else {
      return "no network interface is up that has a private address"
    }
    let others = status.peerCount == 1 ? "1 peer" : "\(status.peerCount) peers"
    let clock =
      status.isFounder
      ? "its clock is ours"
      : "offset \((Double(status.lastError) / 1e6).decimal(3)) ms,"
        + " jitter \(jitter(errors).decimal(3)) ms, \((Double(status.drift) / 1e3).decimal(1)) ppm"
    return "\(others), \(status.beatsPerMinute.decimal(2)) bpm, beat \(beat(status)), \(clock),"
      + (status.isPlaying ? " playing" : " stopped")
  }

  private func document(_ status: LinkStatus, _ errors: [Int64]) -> JSONValue {
    let offset = (Double(status.lastError) / 1e6).decimal(4)
    let drift = (Double(status.drift) / 1e3).decimal(3)
    var members: [(name: String, value: JSONValue)] = [("v", 1), ("type", "link")]
    members.append(("peers", .integer(status.peerCount)))
    members.append(("interfaces", .integer(status.gatewayCount)))
    members.append(("tempo", .decimal(status.beatsPerMinute.decimal(4))))
    members.append(("beat", .decimal(beat(status))))
    members.append(("playing", .bool(status.isPlaying)))
    members.append(("founder", .bool(status.isFounder)))
    members.append(("offset_ms", .decimal(offset)))
    members.append(("jitter_ms", .decimal(jitter(errors).decimal(4))))
    members.append(("drift_ppm", .decimal(drift)))
    return .object(members)
  }
}
