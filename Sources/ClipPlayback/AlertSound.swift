// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MusicalTime

/// The built-in alert sounds, which are computed when they are requested.
public enum AlertSound: String, Hashable, Sendable, CaseIterable {
  /// Two bells at the interval of a fourth.
  case chime
  /// One short bell.
  case ping
  /// Two knocks on wood.
  case knock
  /// Three soft pulses.
  case pulse

  /// Returns the sound at a sample rate.
  ///
  /// - Parameter rate: The sample rate.
  /// - Returns: The sound, with the same samples each time.
  public func sound(rate: SampleRate) -> SystemSound {
    let frames = Int(rate.hertz) * strikes.reduce(0) { max($0, $1.end) } / 1000
    var samples = [Float](repeating: 0, count: frames)
    for strike in strikes { strike.add(to: &samples, rate: Double(rate.hertz)) }
    return SystemSound(
      name: "alert \(rawValue)", interleaved: samples, channelCount: 1, rate: rate)
  }

  private var strikes: [Strike] {
    switch self {
    case .chime:
      [
        Strike(hertz: 880, start: 0, length: 900, partials: Strike.bell),
        Strike(hertz: 1174.659, start: 180, length: 1100, partials: Strike.bell),
      ]
    case .ping: [Strike(hertz: 1567.982, start: 0, length: 600, partials: Strike.bell)]
    case .knock:
      [0, 160].map { Strike(hertz: 420, start: $0, length: 120, partials: Strike.wood) }
    case .pulse:
      [0, 220, 440].map { Strike(hertz: 660, start: $0, length: 180, partials: Strike.soft) }
    }
  }
}

/// One stroke: partials that start together and decay.
private struct Strike {
  // Ratios to the base frequency, and levels. A bell's partials are between the harmonics.
  static let bell: [(ratio: Double, level: Double)] = [(1, 0.6), (2.76, 0.25), (5.4, 0.1)]
  static let wood: [(ratio: Double, level: Double)] = [(1, 0.6), (2.57, 0.3), (4.2, 0.1)]
  static let soft: [(ratio: Double, level: Double)] = [(1, 0.7), (2, 0.1)]

  let hertz: Double
  /// In milliseconds, like the length.
  let start: Int
  let length: Int
  let partials: [(ratio: Double, level: Double)]

  var end: Int { start + length }

  func add(to samples: inout [Float], rate: Double) {
    let first = Int(rate) * start / 1000
    let count = Int(rate) * length / 1000
    for frame in 0..<min(count, samples.count - first) {
      let time = Double(frame) / rate
      let part = Double(frame) / Double(count)
      // The envelope rises in 2 ms and decays to −60 dB, and a line brings it to 0 at the end.
      let envelope = min(1, time / 0.002) * exp(-6.9 * part) * (1 - part)
      let value = partials.reduce(0) { sum, partial in
        sum + partial.level * sin(2 * .pi * hertz * partial.ratio * time)
      }
      samples[first + frame] += Float(0.5 * envelope * value)
    }
  }
}
