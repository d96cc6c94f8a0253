// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockService
import MIDIMessages
import MusicalTime

/// Downbeat's follower: its estimate, or what it publishes.
struct Ours: TracedFollower {
  /// Twelve days of uptime: what is lost in doubles would show.
  private static let uptime: Int64 = 1_000_000_000_000_000
  private var follower = MIDIClockFollower()
  private let isPublished: Bool
  private let clock = Message(status: 0xF8)

  init(published: Bool) {
    isPublished = published
    _ = follower.take(Message(status: 0xFA), at: HostTime(nanoseconds: Self.uptime))
  }

  static func hostTime(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: uptime + Int64((seconds * 1e9).rounded()))
  }

  mutating func tick(at time: Double) {
    _ = follower.take(clock, at: Self.hostTime(time))
  }

  mutating func position(at time: Double) -> Double? {
    let host = Self.hostTime(time)
    guard isPublished else { return follower.estimate?.position(at: host) }
    guard follower.estimate != nil else { return nil }
    return follower.timeline(at: host)?.position(at: host)
  }

  /// The last clock counted, from the first.
  var count: Int64 { follower.position.count }

  /// Whether the count may be off.
  var isUncertain: Bool { follower.isUncertain }

  var period: Double { (follower.estimate?.period ?? .nan) * 1e-9 }
}

extension Timeline {
  /// The count at an instant as a real number.
  func position(at time: Time) -> Double {
    let scaled = Int128(time.nanoseconds) * Int128(denominator) - scaledOrigin
    return Double(countOrigin) + Double(scaled) / Double(numerator)
  }
}
