// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Events in order of tick, a length, and settings: a value with copy on write.
///
/// Events of one tick keep the order in which they were added, or had in the file. A copy costs
/// nothing, and an edit of it copies one chunk of at most 1,024 events: to undo an edit is to hold
/// the old value.
public struct MusicTrack: Sendable {
  var records = RecordList()
  var payloads = PayloadStore()
  /// What the track was read from, until the first edit.
  var source: TrackSource?
  /// The index of the chunk the track was read from: what the tempo track's marks refer to.
  var sourceIndex: UInt16?
  /// The chunk had no end of track, or tempo events that are now in the tempo track.
  var lacksEndOfTrack = false
  var hadConductorEvents = false
  private var storedLength: UInt64?
  private var box: TrackSettingsBox?

  /// Creates an empty track.
  public init() {}

  /// The least length of the track, or nil where its events alone decide.
  ///
  /// A file's end of track sets it. Removing events leaves it as it is.
  public var explicitLength: Tick? {
    get { storedLength.map { Tick(Int64($0)) } }
    set {
      storedLength = newValue.map { UInt64(max(0, $0.value)) }
      source = nil
    }
  }

  /// The explicit length as a file can hold it, 0 where there is none.
  var explicitEnd: UInt64 { min(storedLength ?? 0, EventRecord.maximumTick) }

  /// Sets the length a file gives, without marking the track as edited.
  mutating func setLength(fromFile ticks: UInt64) {
    storedLength = ticks
  }

  /// Loop, offset, mute, solo, destination.
  public var settings: TrackSettings {
    get { box?.settings ?? TrackSettings() }
    set {
      guard newValue != settings else { return }
      readSettings(newValue)
      source = nil
    }
  }

  /// Sets the settings a file keeps, without marking the track as edited.
  mutating func readSettings(_ settings: TrackSettings) {
    box = settings == TrackSettings() ? nil : TrackSettingsBox(settings)
  }

  /// Whether the track still is what its file holds.
  public var isUnedited: Bool { source != nil }

  /// The number of events; a note counts once.
  public var count: Int { records.count }

  /// Whether the track holds no events.
  public var isEmpty: Bool { records.isEmpty }

  /// The tick at which the last event ends; a note ends after its duration.
  ///
  /// - Complexity: O(n).
  public var contentEnd: Tick {
    var end: UInt64 = 0
    for record in records { end = max(end, record.endTick) }
    return Tick(Int64(end))
  }

  /// The length: the end of the last event, or the explicit length where that is later.
  ///
  /// - Complexity: O(n).
  public var length: Tick { max(contentEnd, explicitLength ?? .zero) }

  /// All payloads of the track; a cursor's `PayloadRange` is a place among them.
  public var payloadBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { payloads.bytes.span }
  }

  /// A copy of a payload.
  public func payload(_ range: PayloadRange) -> [UInt8] {
    Array(payloads[range])
  }
}

/// What a track was read from: enough to write its chunk again byte for byte.
struct TrackSource: Sendable {
  let file: SourceFile
  let form: Form

  enum Form {
    /// The chunk is what the writer makes of the events, with running status or without.
    case written(usesRunningStatus: Bool)
    /// The chunk, which the writer would give another form.
    case bytes(ArraySlice<UInt8>)
  }
}

/// One reading of a file: tracks that share it belong together.
final class SourceFile: Sendable {
  /// The file, where most of it is kept; otherwise nothing, and its tracks hold copies.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}
