// SPDX-License-Identifier: Apache-2.0
package import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// A range of a track that a player repeats; the track ends with its last pass.
package struct TrackLoop: Hashable, Sendable {
  /// The first beat.
  package let start: MusicTimeStamp
  /// The beat after the last one.
  package let end: MusicTimeStamp
  /// The number of passes; 0 for endless.
  package let count: Int

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - start: The first beat, 0 or more.
  ///   - length: The length in beats, above 0.
  ///   - count: The number of passes; 0 for endless.
  package init(start: MusicTimeStamp, length: MusicTimeStamp, count: Int) {
    (self.start, end, self.count) = (start, start + length, count)
  }

  /// The part of an event that is played, or nil for an event after the range.
  func part(of event: BeatEvent) -> BeatEvent? {
    guard event.time < end else { return nil }
    guard event.end > end, event.type == kMusicEventType_MIDINoteMessage else { return event }
    var note = event.value(as: MIDINoteMessage.self)
    note.duration = Float(end - event.time)
    var shorter = BeatEvent(event.time, event.type, note)
    shorter.serial = event.serial
    return shorter
  }

  /// Sets the range that is repeated, in place of the loop of `kSequenceTrackProperty_LoopInfo`.
  ///
  /// - Parameters:
  ///   - loop: The range, or nil to remove it.
  ///   - track: The track.
  /// - Returns: 0; `kAudio_ParamError` for an invalid track or range.
  @discardableResult
  package static func set(_ loop: TrackLoop?, of track: MusicTrack?) -> OSStatus {
    status { () throws(StatusError) in
      let track = unsafe try object(track, TrackBox.self)
      if let loop {
        guard loop.start >= 0, loop.end > loop.start, BeatEvent.canStand(at: loop.end),
          loop.count >= 0
        else { throw .parameter }
      }
      try track.edit { content in content.repeated = loop }
    }
  }
}
