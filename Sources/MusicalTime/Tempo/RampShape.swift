// SPDX-License-Identifier: Apache-2.0

/// The curve by which a tempo changes from one value to another.
///
/// The shapes differ audibly: a ramp from 120 to 60 beats per minute over 16 quarter notes lasts
/// 11.09 s with the first, 10.67 s with the second and 11.54 s with the third. The shape is
/// therefore always stated explicitly.
public enum RampShape: String, Hashable, Sendable, CaseIterable {
  /// The beats per minute change linearly with the beats, which is exponential in time.
  case linearOverBeats = "linear-bpm-over-beats"
  /// The beats per minute change linearly with time.
  ///
  /// The duration of the ramp is a rational number.
  case linearOverTime = "linear-bpm-over-time"
  /// The beats per minute change by equal factors over equal numbers of beats.
  case geometricOverBeats = "geometric-bpm-over-beats"
}
