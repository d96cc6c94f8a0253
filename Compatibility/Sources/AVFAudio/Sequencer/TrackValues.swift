// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// Properties of tracks as values.
enum TrackValues {
  /// A property that is a number of beats.
  @unsafe
  static func number(_ property: UInt32, of track: MusicTrack) -> Double {
    unsafe value(property, of: track, 0.0)
  }

  /// A property; the usual value if the track cannot be read.
  @unsafe
  static func value<Value: BitwiseCopyable>(
    _ property: UInt32, of track: MusicTrack, _ usual: Value
  ) -> Value {
    var value = usual
    var size = UInt32(MemoryLayout<Value>.size)
    return unsafe MusicTrackGetProperty(track, property, &value, &size) == 0 ? value : usual
  }

  /// Sets a property; a value that is out of range changes nothing.
  @unsafe
  static func set(_ property: UInt32, of track: MusicTrack, to value: some BitwiseCopyable) {
    var value = value
    unsafe MusicTrackSetProperty(
      track, property, &value, UInt32(MemoryLayout.size(ofValue: value)))
  }
}
