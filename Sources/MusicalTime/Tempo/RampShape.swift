// SPDX-License-Identifier: Apache-2.0

/// How a tempo gets from one value to another.
///
/// The shapes differ audibly: from 120 to 60 beats per minute over 16 quarter notes they take
/// 11.09, 10.67 and 11.54 s. So the shape is always named, in files and in text.
public enum RampShape: String, Hashable, Sendable, CaseIterable {
  /// Beats per minute change evenly over beats; geometrically over time.
  case linearOverBeats = "linear-bpm-over-beats"
  /// Beats per minute change evenly over time: the total time is rational.
  case linearOverTime = "linear-bpm-over-time"
  /// Beats per minute change by equal factors over beats.
  case geometricOverBeats = "geometric-bpm-over-beats"
}
