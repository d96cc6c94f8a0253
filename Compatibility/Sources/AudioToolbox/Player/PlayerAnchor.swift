// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// A beat and the host time at which it is played; later beats and host times are computed from
/// them.
struct PlayerAnchor: Sendable {
  /// The first beat that has a host time.
  let beat: MusicTimeStamp
  /// The host time of the beat, in nanoseconds.
  let hostTime: UInt64
  /// The speed: 2 is twice as fast as written.
  let rate: Double
  let map: BeatMap

  /// The beat at a host time; before the anchor, the anchor's beat.
  func beat(at time: UInt64) -> MusicTimeStamp {
    guard time > hostTime else { return beat }
    let seconds = Double(time - hostTime) * 1e-9 * rate
    return map.beat(atSeconds: map.seconds(atBeat: beat) + seconds)
  }

  /// The host time of a beat, to the nearest nanosecond; nil before the anchor.
  func hostTime(of other: MusicTimeStamp) -> UInt64? {
    guard other >= beat else { return nil }
    let seconds = map.seconds(atBeat: other) - map.seconds(atBeat: beat)
    let nanoseconds = (seconds * 1e9 / rate).rounded()
    guard nanoseconds < 9e18 else { return nil }
    return hostTime + UInt64(nanoseconds)
  }
}
