// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import MIDIMessages
internal import PlayerControl

/// How loud the channels and the whole are.
package struct PlayMeters {
  /// What the lowest bar stands for, in decibels of full scale.
  private static let floor: Float = -48

  package let session: Session
  package let gain: Float
  /// The device's rate against its nominal one, in parts per million, once it is known.
  package var drift: Double?

  /// Creates one of its parts.
  package init(session: Session, gain: Float, drift: Double? = nil) {
    self.session = session
    self.gain = gain
    self.drift = drift
  }

  /// The peaks of the whole and of each channel that sounds, in numbers.
  package var numbers: String {
    let levels = session.channelLevels
    let channels = levels.enumerated().compactMap { index, level in
      let peak = decibels(level)
      let port = levels.count > 16 ? "\(index >> 4 + 1):" : ""
      return peak < Self.floor ? nil : "\(port)\(index & 15 + 1):\(Double(peak).decimal(0))"
    }
    return ([whole] + channels).joined(separator: " ") + device
  }

  /// By how much the device's clock is fast.
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

  /// The louder side of a channel, with the gain of the whole, which comes after.
  private func decibels(_ level: (left: Level, right: Level)) -> Float {
    Level.decibels(max(level.left.peak, level.right.peak, 1e-9) * gain)
  }

  /// How much of a meter a channel fills, 0…1; the channels are counted from 0, sixteen for each
  /// port.
  package func part(of channel: Int) -> Double {
    let levels = session.channelLevels
    guard levels.indices.contains(channel) else { return 0 }
    return Double(min(1, max(0, 1 - decibels(levels[channel]) / Self.floor)))
  }
}
