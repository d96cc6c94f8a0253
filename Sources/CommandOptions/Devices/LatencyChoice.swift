// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// How soon sound comes, against how safely, as `--latency` names it.
package enum LatencyChoice: String, ExpressibleByArgument, CaseIterable {
  /// Soon: for a machine that is set up for sound.
  case low
  /// As most machines can.
  case normal
  /// Late, and without gaps on a busy machine.
  case safe

  /// How a device of ALSA is fed; its buffer may become four times as long where it runs dry.
  ///
  /// - Parameter isLive: whether someone plays, and waits for the sound.
  /// - Returns: periods and buffer.
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
