// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import MIDIMessages
internal import PlayerControl

/// The levels of the channels and of the mix.
package struct PlayMeters {
  /// The level of an empty meter, in dBFS.
  private static let floor: Float = -48

  package let session: Session
  package let gain: Float
  /// The deviation of the device's rate from its nominal rate, in parts per million; nil while it
  /// is not known.
  package var drift: Double?

  /// Creates meters.
  package init(session: Session, gain: Float, drift: Double? = nil) {
    self.session = session
    self.gain = gain
    self.drift = drift
  }

  /// The peaks of the mix and of each sounding channel, as numbers.
  package var numbers: String {
    let levels = session.channelLevels
    let channels = levels.enumerated().compactMap { index, level in
      let peak = decibels(level)
      let port = levels.count > 16 ? "\(index >> 4 + 1):" : ""
      return peak < Self.floor ? nil : "\(port)\(index & 15 + 1):\(Double(peak).decimal(0))"
    }
    return ([whole] + channels).joined(separator: " ") + device
  }

  /// The deviation of the device's clock, as text.
  private var device: String {
    guard let drift else { return "" }
    return "  device \(drift < 0 ? "" : "+")\(drift.decimal(1)) ppm"
  }

  /// The peaks of left and right.
  package var whole: String {
    let level = session.level
    return [level.left, level.right].map { level in
      level.peak < 1e-5 ? "-inf" : Double(Level.decibels(level.peak)).decimal(1)
    }.joined(separator: " ") + " dB"
  }

  /// The louder side of a channel, with the gain of the mix, which is applied later.
  private func decibels(_ level: (left: Level, right: Level)) -> Float {
    Level.decibels(max(level.left.peak, level.right.peak, 1e-9) * gain)
  }

  /// The fraction of a meter that the level of a channel fills, 0…1; channels are counted from 0,
  /// with 16 for each port.
  package func part(of channel: Int) -> Double {
    let levels = session.channelLevels
    guard levels.indices.contains(channel) else { return 0 }
    return Double(min(1, max(0, 1 - decibels(levels[channel]) / Self.floor)))
  }
}
