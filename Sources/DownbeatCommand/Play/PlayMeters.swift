// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Downbeat

/// How loud the channels and the whole are, as text.
struct PlayMeters {
  private static let bars = Array(" ▁▂▃▄▅▆▇█")
  /// What the lowest bar stands for, in decibels of full scale.
  private static let floor: Float = -48

  let session: Session
  let gain: Float
  /// The device's rate against its nominal one, in parts per million, once it is known.
  var drift: Double?

  /// A bar for each channel and the peaks of the whole: for a line that is drawn over.
  var line: String {
    let bars = session.channelLevels.map { String(Self.bar(decibels($0))) }.joined()
    return "\u{2502}\(bars)\u{2502} \(whole)" + device
  }

  /// The peaks of the whole and of each channel that sounds, in numbers.
  var numbers: String {
    let channels = session.channelLevels.enumerated().compactMap { index, level in
      let peak = decibels(level)
      return peak < Self.floor ? nil : "\(index + 1):\(Double(peak).decimal(0))"
    }
    return ([whole] + channels).joined(separator: " ") + device
  }

  /// By how much the device's clock is fast.
  private var device: String {
    guard let drift else { return "" }
    return "  device \(drift < 0 ? "" : "+")\(drift.decimal(1)) ppm"
  }

  /// The peaks of left and right.
  private var whole: String {
    let level = session.level
    return [level.left, level.right].map { level in
      level.peak < 1e-5 ? "-inf" : Double(Level.decibels(level.peak)).decimal(1)
    }.joined(separator: " ") + " dB"
  }

  /// The louder side of a channel, with the gain of the whole, which comes after.
  private func decibels(_ level: (left: Level, right: Level)) -> Float {
    Level.decibels(max(level.left.peak, level.right.peak, 1e-9) * gain)
  }

  private static func bar(_ decibels: Float) -> Character {
    guard decibels >= floor else { return bars[0] }
    let part = min(1, 1 - decibels / floor)
    return bars[1 + Int((part * Float(bars.count - 2)).rounded())]
  }
}
