// SPDX-License-Identifier: Apache-2.0

/// The curve by which a tempo changes from one value to another.
///
/// The shapes differ audibly: from 120 to 60 beats per minute over 16 quarter notes they take
/// 11.09, 10.67 and 11.54 s. For this reason files and text always name the shape.
public enum RampShape: String, Hashable, Sendable, CaseIterable {
  /// Beats per minute change linearly over beats, which is exponential over time.
  case linearOverBeats = "linear-bpm-over-beats"
  /// Beats per minute change linearly over time. The duration of the ramp is rational.
  case linearOverTime = "linear-bpm-over-time"
  /// Beats per minute change by equal factors over equal numbers of beats.
  case geometricOverBeats = "geometric-bpm-over-beats"
}
