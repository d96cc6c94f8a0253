// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--latency`: a choice between low latency and safe playback.
package enum LatencyChoice: String, ExpressibleByArgument, CaseIterable {
  /// Low latency, for a machine that is set up for sound.
  case low
  /// A latency that most machines support.
  case normal
  /// High latency, without gaps on a busy machine.
  case safe

  /// The period and buffer of an ALSA device; after underruns, the buffer may grow to four times
  /// its size.
  ///
  /// - Parameter isLive: True if someone plays live and waits for the sound.
  /// - Returns: The period and the buffer.
  package func feed(isLive: Bool) -> OutputDevice.Feed {
    let (period, periods) =
      switch self {
      case .low: isLive ? (64, 3) : (128, 3)
      case .normal: isLive ? (128, 3) : (512, 4)
      case .safe: isLive ? (512, 4) : (2048, 4)
      }
    return OutputDevice.Feed(period: period, periods: periods, mostPeriods: 4 * periods)
  }
}
