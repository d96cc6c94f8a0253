// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension ReferenceWindow {
  /// The most that a generator writes in a window: ten thousand messages a second, and some
  /// thousands at once.
  ///
  /// No cable carries more. It is reached only where a clock runs a million times too fast, and
  /// what is left out there keeps the event thread from writing without end.
  var mostMessages: Int {
    let (length, isBeyond) = upperBound.nanoseconds.subtractingReportingOverflow(
      lowerBound.nanoseconds)
    return Swift.max(4_096, Int(isBeyond ? .max : length) / 100_000)
  }
}
