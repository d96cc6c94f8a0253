// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Data of a sequence that a Standard MIDI File cannot store, and what a reader finds instead.
///
/// Everything else is restored by reading the file: events in their order, lengths, settings and
/// the tempo track. As an exception, a track in which a note ends after a change of port has more
/// port numbers (FF 21) than before.
public struct SaveLoss: Hashable, Sendable {
  /// The index of the track chunk in the file, from 0; nil for the tempo track and the whole file.
  public let track: Int?
  /// The tick within the track; nil if the loss is not at one tick.
  public let tick: Tick?
  /// The kind of loss.
  public let kind: Kind

  init(_ kind: Kind, track: Int? = nil, tick: UInt64? = nil) {
    self.kind = kind
    self.track = track
    self.tick = tick.map { Tick(Int64(clamping: $0)) }
  }

  /// The kinds of losses.
  public enum Kind: Hashable, Sendable {
    /// The file that was read is not a Standard MIDI File.
    ///
    /// Only its sequences are written.
    case container(SequenceFile.Container)
    /// The header of the file that was read has more bytes than the standard defines; these are not
    /// written.
    case longHeader
    /// The sequence has format 0 but several tracks, so it is written as format 1.
    case singleFormat(tracks: Int)
    /// Several tracks are joined into one.
    case joinedTracks(Int)
    /// The settings of a track are lost because it is joined with another.
    case joinedSettings
    /// A pattern has several tracks; each of them will be read as a separate pattern.
    case splitPattern(tracks: Int)
    /// The sequences of a file are joined, because its format stores only one.
    case joinedSequences(Int)
    /// A pattern without tracks cannot be stored.
    case emptyPattern
    /// A track is added for the tempo events.
    case addedTrack
    /// The tempo track has settings, such as a loop or an offset, which cannot be stored.
    case tempoTrackSettings
    /// The tempo track is longer than its events, which cannot be stored.
    case tempoTrackLength
    /// An event in the tempo track will be read as an event of the first track.
    case strayInTempoTrack
    /// A tempo, SMPTE offset or meter in another track will be read into the tempo track.
    case strayTempoEvent
    /// A meta event will be read as another kind of event, because Downbeat stores that kind in the
    /// same format.
    case ownMeta
    /// A gap is too long for one delta time; empty texts are inserted.
    case gap(texts: Int)
    /// A track will be read with another length.
    case trackLength(becomes: Int64)
    /// A note will be read with another end, because notes of one key end in the order in which
    /// they began.
    case noteEnd(Channel, Key, duration: Int64, becomes: Int64)
    /// A single note-off will be read as the end of a note.
    case loneRelease(Channel, Key)
    /// The end of a note will be read as a single note-off, without its note.
    case leftRelease(Channel, Key)
  }
}

extension SaveLoss: CustomStringConvertible {
  /// The position and the message, such as `track 3, tick 480: …`.
  ///
  /// Tracks are numbered from 1.
  public var description: String {
    let places = [track.map { "track \($0 + 1)" }, tick.map { "tick \($0.value)" }]
    let place = places.compactMap(\.self).joined(separator: ", ")
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// A sentence that describes the loss and the data that a reader finds instead.
  public var message: String {
    switch kind {
    case .container, .longHeader, .singleFormat, .joinedTracks, .joinedSettings, .splitPattern,
      .joinedSequences, .emptyPattern, .addedTrack:
      fileMessage
    case .noteEnd, .loneRelease, .leftRelease: noteMessage
    default: trackMessage
    }
  }

  private var fileMessage: String {
    switch kind {
    case .container(let container):
      "source is \(container.rawValue.uppercased()), only its sequences are written"
    case .longHeader: "extra bytes of the header are not written"
    case .singleFormat(let tracks):
      "format 0 has only one track, \(tracks) tracks are written as format 1"
    case .joinedTracks(let tracks): "\(tracks) tracks are merged into one for format 0"
    case .joinedSettings: "settings of a merged track are not written"
    case .splitPattern(let tracks): "pattern of \(tracks) tracks will be read as \(tracks) patterns"
    case .joinedSequences(let count): "\(count) sequences will be read as one"
    case .emptyPattern: "pattern without tracks is not written"
    default: "empty track added for the tempo events"
    }
  }

  private var trackMessage: String {
    switch kind {
    case .tempoTrackSettings: "settings of the tempo track are not written"
    case .tempoTrackLength:
      "the song will end with its last event, before the end of its tempo track"
    case .strayInTempoTrack: "event in the tempo track will be read as an event of the first track"
    case .strayTempoEvent: "tempo, meter or SMPTE offset will be read into the tempo track"
    case .ownMeta: "meta event in Downbeat's own format will be read as another kind of event"
    case .gap(let texts): "gap is too long for one delta time, empty texts inserted: \(texts)"
    case .trackLength(let ticks): "track length will be read as \(ticks) ticks"
    default: ""
    }
  }

  private var noteMessage: String {
    switch kind {
    case .noteEnd(let channel, let key, let old, let new):
      "note of key \(key.number), channel \(channel.number) overlaps another of the same key: "
        + (old == new
          ? "will be read with the other's release velocity"
          : "will be read as \(new) instead of \(old) ticks")
    case .loneRelease(let channel, let key):
      "single note-off of key \(key.number), channel \(channel.number) will end a sounding note"
    case .leftRelease(let channel, let key):
      "note-off of key \(key.number), channel \(channel.number) will be read as a single note-off"
    default: ""
    }
  }
}
