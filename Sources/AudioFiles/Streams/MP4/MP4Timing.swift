// SPDX-License-Identifier: Apache-2.0

/// Converts times of a track to frames.
///
/// The track's units are used if they are frames of the codec; for HE-AAC, at the rate of its core
/// or at twice that rate. Other units, such as milliseconds, are converted.
struct MP4Timing: Hashable, Sendable {
  /// The number of the track's units per second.
  let units: Int
  /// The number of frames per second.
  let hertz: Int
  /// The number of frames in each packet; 0 if it varies.
  let framesPerPacket: Int

  /// Creates the timing of a track.
  init(_ sound: MP4Sound) {
    units = sound.table.hertz
    let rate = sound.codecHertz ?? units
    let rates = [rate, sound.layers[0].hertz]
    let isFrames = rates.contains {
      FrameScale(decodedHertz: $0, countedHertz: sound.table.hertz) != nil
    }
    hertz = isFrames ? units : rate
    framesPerPacket = sound.framesPerPacket * hertz / max(1, rate)
  }

  /// True if the units are frames.
  var isExact: Bool { units == hertz }

  /// A time in frames, rounded to the nearest.
  ///
  /// The time is less than 2⁶⁰.
  func frames(_ time: Int64) -> Int64 {
    guard !isExact else { return time }
    let doubled = Int128(time) * Int128(hertz) * 2 + Int128(units)
    return Int64(clamping: doubled / (2 * Int128(units)))
  }

  /// The number of frames of a packet in a fragment that are sound, from its duration in units.
  ///
  /// Some encoders round the durations of packets of constant length, so a packet is cut only if it
  /// is shorter by more than a millisecond.
  func soundFrames(_ duration: Int) -> Int {
    let counted = Int(clamping: frames(Int64(duration)))
    guard framesPerPacket > 0 else { return min(counted, 1 << 20) }
    let isShorter = duration > 0 && counted < framesPerPacket - max(2, hertz / 1000)
    return isShorter ? counted : framesPerPacket
  }
}
