// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension ReferenceWindow {
  /// The maximum number of messages of a generator in a window: ten thousand per second, and about
  /// four thousand at once.
  ///
  /// A cable does not carry more. It is reached only by a clock that runs a million times too fast;
  /// the limit prevents the event thread from writing without end.
  var mostMessages: Int {
    let (length, isBeyond) = upperBound.nanoseconds.subtractingReportingOverflow(
      lowerBound.nanoseconds)
    return Swift.max(4_096, Int(isBeyond ? .max : length) / 100_000)
  }
}
