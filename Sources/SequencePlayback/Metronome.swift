// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// Clicks on every beat, the first of a bar with a bell: General MIDI's metronome sounds.
///
/// They are a track like any other, so that whatever plays the song plays them, in time.
public struct Metronome: Hashable, Sendable {
  /// Ticks from beat to beat.
  public var beat: Int64
  /// Beats from bell to bell.
  public var beatsPerBar: Int64
  /// The channel of the clicks.
  public var channel = Channel.percussion
  /// The key of the first beat of a bar: the metronome's bell.
  public var bell = Key(34)
  /// The key of every other beat: the metronome's click.
  public var click = Key(33)

  /// Creates a metronome.
  ///
  /// - Precondition: both are above zero.
  public init(beat: Int64, beatsPerBar: Int64) {
    precondition(beat > 0 && beatsPerBar > 0, "a metronome goes on")
    self.beat = beat
    self.beatsPerBar = beatsPerBar
  }

  /// A track of a number of beats, the first of a bar at `start`.
  ///
  /// - Throws: `SequenceError.outOfRange` where a tick does not fit.
  public func track(from start: Tick, beats: Int64) throws(SequenceError) -> MusicTrack {
    var track = MusicTrack()
    let length = max(1, beat / 4)
    var events: [TrackEvent] = []
    for index in 0..<max(0, beats) {
      let isFirst = index % beatsPerBar == 0
      let note = Note(
        channel, isFirst ? bell : click, velocity: isFirst ? 110 : 90, duration: length)
      events.append(TrackEvent(.note(note), at: start.advanced(by: index * beat)))
    }
    try track.insert(contentsOf: events)
    return track
  }
}
