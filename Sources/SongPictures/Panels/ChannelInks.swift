// SPDX-License-Identifier: Apache-2.0

/// The ink of each channel of a song.
///
/// Inks are assigned in order, so a song with eight channels gets the eight most distinct ones. The
/// seventeenth channel has the ink of the first.
struct ChannelInks {
  /// Soft notes are paler.
  private static let opacities = [0.5, 0.75, 1]

  private var places = [Int](repeating: 0, count: 256)

  init(_ channels: [ChannelSurvey]) {
    for (place, channel) in channels.enumerated() {
      places[Int(channel.index)] = place % Ink.channelCount
    }
  }

  func ink(of channel: UInt8) -> Ink { .channel(places[Int(channel)]) }

  /// The value with which a note is painted: its ink, and its velocity in thirds.
  func value(of note: SongNote) -> UInt8 {
    let level = note.velocity < 48 ? 0 : note.velocity < 88 ? 1 : 2
    return UInt8(1 + places[Int(note.channel)] * 3 + level)
  }

  /// Draws the painted strokes.
  func stroke(
    _ runs: [(value: UInt8, runs: [Run])], thickness: Double, on picture: inout Picture
  ) {
    for (value, runs) in runs {
      let (place, level) = (Int(value) - 1).quotientAndRemainder(dividingBy: 3)
      picture.stroke(
        runs: runs, .channel(place), thickness: thickness, opacity: Self.opacities[level])
    }
  }
}
