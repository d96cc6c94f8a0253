// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// A beat and the host time at which it is played: from them on beats and host times follow from
/// each other.
struct PlayerAnchor: Sendable {
  /// The first beat for which there is a host time.
  let beat: MusicTimeStamp
  /// When it is played, in nanoseconds.
  let hostTime: UInt64
  /// How much faster than written the music runs.
  let rate: Double
  let map: BeatMap

  /// The beat at a host time; before the anchor the anchor's.
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
