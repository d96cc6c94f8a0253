// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Finds the tempo that a person taps.
///
/// The slope of a straight line through the last taps, eight at most; a tap that comes two
/// seconds after the last starts again, and so does one after less than half or more than twice the
/// beat so far. A tap right after the last one, as from a key that bounces, is ignored.
public struct TempoTap: Sendable {
  /// The most taps that count.
  public static let capacity = 8
  /// After this a tap begins anew: 2 s, 30 beats per minute.
  public static let patience = Duration.seconds(2)
  /// A tap sooner than this after the last one is ignored: 61 ms, 983 beats per minute.
  public static let bounce = Duration.milliseconds(61)

  private var taps: [HostTime] = []

  /// Creates a finder that has heard nothing.
  public init() {}

  /// Takes a tap.
  ///
  /// - Returns: The tempo, from the second tap on; nil for a tap that is ignored.
  public mutating func tap(at time: HostTime) -> Tempo? {
    if let last = taps.last, (.zero..<Self.bounce).contains(last.duration(to: time)) { return nil }
    if let last = taps.last, !continues(last.duration(to: time)) { taps.removeAll() }
    taps.append(time)
    if taps.count > Self.capacity { taps.removeFirst() }
    guard let beat else { return nil }
    return Tempo(tenNanosecondsPerQuarter: UInt32(clamping: Int64((beat / 10).rounded())))
  }

  /// Nanoseconds a beat: the least-squares slope, counted from the first tap.
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
