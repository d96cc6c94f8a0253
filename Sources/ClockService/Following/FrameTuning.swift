// SPDX-License-Identifier: Apache-2.0

/// The constants of clocks on frames; lengths of time are nanoseconds, slacks are parts of a frame.
///
/// The traces that decide are those of the benchmark's `USB` rows: even tempi over frames of 1 ms,
/// some of masters that jitter.
enum FrameTuning {
  /// How far from the end of its frame an arrival may be.
  static let tolerance = 0.12e6
  /// So many arrivals in a row at the ends of frames show that there are frames; as many are
  /// forgotten when few are not.
  static let proof = 24
  static let mostHits = 64
  static let stray = 12
  /// The grid is the line through so many arrivals.
  ///
  /// More would be quieter, and late where the host's clock is slewed.
  static let memory = 256.0
  /// By what part of their length frames may be longer or shorter.
  static let mostDrift = 5e-4

  /// Before so many ticks the filter knows as much.
  static let leastAge = 96
  static let mostAge = 1 << 16
  /// A line that breaks before this many times the age at which it was trusted was too young, and
  /// the next must be as much older: so a master that jitters itself is left to the filter.
  static let doubt = 4
  /// Through ticks on another grid no line gets this old: a radio's intervals of 15 ms, taken for
  /// frames of 1 ms.
  static let young = 8
  /// How far back the successor of a line looks, in ticks: at 125 BPM and 37 ppm a master that
  /// jitters by 10 µs is seen to cross an edge once in 1350.
  static let span = 1024
  /// By how many times a line's period may differ from the filter's.
  static let open = 1.25
  /// By how much a tick may lie outside of its frame: of an even master, and of one that jitters.
  ///
  /// With five times the least, 250 BPM and −200 ppm is 0.034 ms off beyond what can be known;
  /// with a fifth of it a master that jitters by 3 µs is off by twice as much.
  static let leastSlack = 0.001
  static let mostSlack = 0.05
  /// A line may lie along an edge for half as many ticks in a row.
  ///
  /// At 125 BPM and 37 ppm, after 0.1 ms of jitter, it would for hundreds.
  static let mostTouches = 128
}
