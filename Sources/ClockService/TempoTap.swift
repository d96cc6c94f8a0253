// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Measures the tempo of a person's taps.
///
/// The tempo is the slope of a straight line through the last taps, at most eight. A new
/// measurement starts if the time since the last tap is more than two seconds, less than half a
/// measured beat, or more than two measured beats. A tap immediately after the last one, for
/// example from a bouncing key, is ignored.
public struct TempoTap: Sendable {
  /// The maximum number of taps in the measurement.
  public static let capacity = 8
  /// The longest time between two taps of one measurement: 2 s, or 30 beats per minute.
  public static let patience = Duration.seconds(2)
  /// The shortest time between two taps: 61 ms, or 983 beats per minute.
  ///
  /// Earlier taps are ignored.
  public static let bounce = Duration.milliseconds(61)

  private var taps: [HostTime] = []

  /// Creates a measurement without taps.
  public init() {}

  /// Adds a tap.
  ///
  /// - Returns: The tempo, from the second tap on; nil for the first tap and for an ignored one.
  public mutating func tap(at time: HostTime) -> Tempo? {
    if let last = taps.last, (.zero..<Self.bounce).contains(last.duration(to: time)) { return nil }
    if let last = taps.last, !continues(last.duration(to: time)) { taps.removeAll() }
    taps.append(time)
    if taps.count > Self.capacity { taps.removeFirst() }
    guard let beat else { return nil }
    return Tempo(tenNanosecondsPerQuarter: UInt32(clamping: Int64((beat / 10).rounded())))
  }

  /// Nanoseconds per beat: the least-squares slope.
  private var beat: Double? {
    guard let first = taps.first, taps.count > 1 else { return nil }
    let middle = Double(taps.count - 1) / 2
    var product = 0.0
    var square = 0.0
    for (index, tap) in taps.enumerated() {
      let distance = Double(index) - middle
      product += distance * Double(tap.nanoseconds(since: first))
      square += distance * distance
    }
    return product / square
  }

  private func continues(_ distance: Duration) -> Bool {
    guard distance > .zero, distance <= Self.patience else { return false }
    guard let beat else { return true }
    return distance / .nanoseconds(1) > beat / 2 && distance / .nanoseconds(1) < beat * 2
  }
}
