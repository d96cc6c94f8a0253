// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Events in order of tick, with a length and settings.
///
/// A track is a value. Events at one tick keep the order in which they were added or stored in the
/// file. Copies are cheap, and an edit copies one chunk of at most 1,024 events. To undo an edit,
/// keep a copy of the old value.
public struct MusicTrack: Sendable {
  var records = RecordList()
  var payloads = PayloadStore()
  /// The source of the track in a file; nil after the first edit.
  var source: TrackSource?
  /// The index of the chunk that the track was read from.
  ///
  /// The marks of tempo events refer to it.
  var sourceIndex: UInt16?
  /// True if the chunk did not have an end of track; `hadConductorEvents` is true if it had tempo
  /// events.
  var lacksEndOfTrack = false
  var hadConductorEvents = false
  private var storedLength: UInt64?
  private var box: TrackSettingsBox?

  /// Creates an empty track.
  public init() {}

  /// The minimum length of the track; nil if only its events determine the length.
  ///
  /// Reading a file sets it to the tick of the end of track event. Removing events does not change
  /// it.
  public var explicitLength: Tick? {
    get { storedLength.map { Tick(Int64($0)) } }
    set {
      storedLength = newValue.map { UInt64(max(0, $0.value)) }
      source = nil
    }
  }

  /// The explicit length as a file stores it, or 0 if it is nil.
  var explicitEnd: UInt64 { min(storedLength ?? 0, EventRecord.maximumTick) }

  /// Sets the length from a file, without marking the track as edited.
  mutating func setLength(fromFile ticks: UInt64) {
    storedLength = ticks
  }

  /// The playback settings: loop, offset, mute, solo, destination and unit state.
  public var settings: TrackSettings {
    get { box?.settings ?? TrackSettings() }
    set {
      guard newValue != settings else { return }
      readSettings(newValue)
      source = nil
    }
  }

  /// Sets the settings from a file, without marking the track as edited.
  mutating func readSettings(_ settings: TrackSettings) {
    box = settings == TrackSettings() ? nil : TrackSettingsBox(settings)
  }

  /// True if the track is unchanged since it was read from a file.
  public var isUnedited: Bool { source != nil }

  /// The number of events.
  ///
  /// A note with its note-off is one event.
  public var count: Int { records.count }

  /// True if the track does not contain events.
  public var isEmpty: Bool { records.isEmpty }

  /// The tick at which the last event ends.
  ///
  /// A note ends when its duration is over.
  ///
  /// - Complexity: O(n).
  public var contentEnd: Tick {
    var end: UInt64 = 0
    for record in records { end = max(end, record.endTick) }
    return Tick(Int64(end))
  }

  /// The length in ticks: the end of the last event, or the explicit length if that is greater.
  ///
  /// - Complexity: O(n).
  public var length: Tick { max(contentEnd, explicitLength ?? .zero) }

  /// The contents of all events, such as SysEx and texts, as one sequence of bytes.
  ///
  /// A `PayloadRange` of a cursor's event refers to these bytes.
  public var payloadBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { payloads.bytes.span }
  }

  /// Returns a copy of the bytes in a payload range.
  public func payload(_ range: PayloadRange) -> [UInt8] {
    Array(payloads[range])
  }
}

/// The source of a track in a file, from which its chunk can be written byte for byte.
struct TrackSource: Sendable {
  let file: SourceFile
  let form: Form

  enum Form {
    /// The writer produces the chunk from the events, with or without running status.
    case written(usesRunningStatus: Bool)
    /// The bytes of the chunk, if the writer would produce others.
    case bytes(ArraySlice<UInt8>)
  }
}

/// Identifies one reading of a file.
///
/// Tracks from the same reading share it.
final class SourceFile: Sendable {
  /// The bytes of the file if most of them are kept; otherwise empty, and tracks have copies.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}
