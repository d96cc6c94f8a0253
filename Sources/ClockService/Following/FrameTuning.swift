// SPDX-License-Identifier: Apache-2.0

/// The constants of clocks on frames; times are in nanoseconds, slacks in parts of a frame.
///
/// They were chosen with the `USB` traces of the benchmark: even tempi over frames of 1 ms, some
/// from masters with jitter.
enum FrameTuning {
  /// The largest distance of an arrival from the end of its frame.
  static let tolerance = 0.12e6
  /// The number of consecutive arrivals at the ends of frames that detects frames, its maximum, and
  /// the reduction for an arrival that is not at the end of a frame.
  static let proof = 24
  static let mostHits = 64
  static let stray = 12
  /// The number of arrivals in the line of the grid.
  ///
  /// A larger number would be steadier, but late if the host's clock is slewed.
  static let memory = 256.0
  /// The fraction of their length by which frames may be longer or shorter.
  static let mostDrift = 5e-4

  /// With fewer ticks than this the filter is as accurate.
  static let leastAge = 96
  static let mostAge = 1 << 16
  /// If a line breaks before this many times the age at which it was trusted, it was too young, and
  /// the next one must be older by the same factor.
  ///
  /// A master with jitter is then left to the filter.
  static let doubt = 4
  /// A line through ticks on another grid never reaches this age, such as Bluetooth intervals of 15
  /// ms taken for frames of 1 ms.
  static let young = 8
  /// The number of ticks covered by the successor of a line.
  ///
  /// At 125 BPM and 37 ppm, a master with 10 µs of jitter visibly crosses an edge once in 1350
  /// ticks.
  static let span = 1024
  /// The factor by which the period of a line may differ from that of the filter.
  static let open = 1.25
  /// The distance by which a tick may be outside of its frame, for an even master and one with
  /// jitter.
  ///
  /// With five times the least, 250 BPM and −200 ppm is wrong by 0.034 ms more than necessary. With
  /// a fifth of it, a master with 3 µs of jitter is wrong by twice as much.
  static let leastSlack = 0.001
  static let mostSlack = 0.05
  /// A line may be along an edge for half this number of consecutive ticks.
  ///
  /// At 125 BPM and 37 ppm, after 0.1 ms of jitter, it would be there for hundreds.
  static let mostTouches = 128
}
