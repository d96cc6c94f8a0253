// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Levels as Apple's players and recorders return them.
enum MeterReading {
  /// The level in dB of full scale, at least −160.
  ///
  /// - Parameter factor: The level as a factor; nil without a measurement.
  /// - Returns: The level.
  static func decibels(_ factor: Float?) -> Float {
    guard let factor, factor > 0 else { return -160 }
    return max(-160, Level.decibels(factor))
  }
}
