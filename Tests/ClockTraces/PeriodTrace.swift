// SPDX-License-Identifier: Apache-2.0

/// Audio periods of 256 frames at 48 kHz, 80 ppm fast, and when a program hears of them.
public struct PeriodTrace: Sendable {
  /// How a program hears of a period.
  public enum Source: String, CaseIterable, Sendable {
    /// A time stamp taken in the interrupt.
    case interrupt
    /// The time at which the program woke up.
    case wakeUp
    /// A position known to the millisecond.
    case usbFrame
  }

  /// The nominal length of a period in seconds.
  public static let nominal = 256.0 / 48000
  /// When each period truly ends, and when the one after the last would.
  public let times: [Double]
  /// When the program hears of it.
  public let arrivals: [Double]
  /// The mean delay between the two.
  public let delay: Double

  /// A minute of periods, the same for the same source and seed on every machine.
  public init(_ source: Source, seed: Int) {
    var random = TraceRandom(seed: UInt64(seed), tag: 991 + UInt64(source.rawValue.count))
    let count = Int(60 / Self.nominal)
    var (time, wander) = (1.0, 0.0)
    var times = [time]
    for _ in 0..<count {
      // The crystal's temperature wanders slowly.
      wander += random.normal(2e-9)
      time += Self.nominal / (1 + 80e-6) * (1 + wander)
      times.append(time)
    }
    let frame = 1e-3 * (1 - 21e-6)
    var latest = -Double.infinity
    arrivals = times.dropLast().map { time in
      var arrival = time
      switch source {
      case .interrupt: arrival += abs(random.normal(8e-6))
      case .wakeUp:
        arrival += abs(random.normal(40e-6))
        if random.uniform() < 0.01 { arrival += random.exponential(0.7e-3) }
      case .usbFrame:
        arrival = ((time - 0.0002) / frame).rounded(.up) * frame + 0.0002
        arrival += abs(random.normal(30e-6))
      }
      latest = max(latest, arrival)
      return latest
    }
    self.times = times
    delay =
      switch source {
      case .interrupt: 6.4e-6
      case .wakeUp: 39e-6
      case .usbFrame: 0.5e-3 + 24e-6
      }
  }
}
