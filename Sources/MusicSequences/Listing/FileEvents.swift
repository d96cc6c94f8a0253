// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
public import MusicalTime

/// The events of a file, track by track, in the order of the file.
///
/// These are the events that `SMFWriter` would write. For a track that was neither edited nor
/// repaired, they are exactly the events of its chunk. The last event of each track is its end of
/// track.
public struct FileEvents: Sendable {
  /// The bytes of the whole file.
  ///
  /// The offsets and payload ranges of events refer to these bytes.
  public let bytes: [UInt8]
  /// The range of each track's events in the file's bytes.
  public let tracks: [Range<Int>]
  /// The format of the file.
  public let format: MusicSequence.Format
  /// The unit of ticks: parts of a quarter note or of an SMPTE frame.
  public let division: Division

  /// Creates a list of the events of a file.
  ///
  /// - Throws: `SequenceError.notRepresentable` in the same cases as `SMFWriter.write`.
  /// - Complexity: O(n log p) for at most p simultaneous notes. Events are parsed during iteration.
  public init(_ file: SequenceFile) throws(SequenceError) {
    try self.init(bytes: SMFWriter().write(file))
  }

  /// Creates a list of the events of a sequence.
  ///
  /// - Throws: `SequenceError.notRepresentable` in the same cases as `SMFWriter.write`.
  /// - Complexity: O(n log p) for at most p simultaneous notes.
  public init(_ sequence: MusicSequence) throws(SequenceError) {
    try self.init(bytes: SMFWriter().write(sequence))
  }

  private init(bytes: [UInt8]) throws(SequenceError) {
    self.bytes = bytes
    let layout = try SMFReader().layout(of: bytes)
    tracks = layout.tracks
    format = layout.format
    division = layout.division
  }

  /// Returns the content of an event as a slice of `bytes`.
  ///
  /// - Complexity: O(1); the bytes are not copied.
  public func payload(of event: FileEvent) -> ArraySlice<UInt8> {
    let start = Int(event.payload.offset)
    return bytes[start..<start + Int(event.payload.count)]
  }
}

extension FileEvents: Sequence {
  /// An iterator that parses one event after another.
  public struct Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    private let tracks: [Range<Int>]
    private var track = 0
    private var position = 0
    private var end = 0
    private var tick: Int64 = 0
    private var running: UInt8 = 0

    init(_ events: FileEvents) {
      bytes = events.bytes
      tracks = events.tracks
      enterTrack()
    }

    private mutating func enterTrack() {
      guard track < tracks.count else { return }
      position = tracks[track].lowerBound
      end = tracks[track].upperBound
      tick = 0
      running = 0
    }

    /// Returns the next event, or nil after the end of the last track.
    public mutating func next() -> FileEvent? {
      while track < tracks.count {
        if let event = nextOfTrack() { return event }
        track += 1
        enterTrack()
      }
      return nil
    }

    // The writer's output is complete. The bounds are checked anyway, and an incomplete event would
    // end its track.
    private mutating func nextOfTrack() -> FileEvent? {
      let start = position
      guard position < end, let delta = quantity(), position < end else { return nil }
      tick += delta
      if bytes[position] >= 0x80 {
        running = bytes[position]
        position += 1
      }
      return running < 0xF0 ? message(from: start) : payloadEvent(from: start)
    }

    private mutating func message(from start: Int) -> FileEvent? {
      let length = running & 0xE0 == 0xC0 ? 1 : 2
      guard position + length <= end else { return nil }
      defer { position += length }
      return FileEvent(
        track: Int32(track), data1: bytes[position], data2: length == 2 ? bytes[position + 1] : 0,
        status: running, tick: Tick(tick), offset: UInt32(start),
        payload: PayloadRange(offset: UInt32(position), count: 0))
    }

    private mutating func payloadEvent(from start: Int) -> FileEvent? {
      var type: UInt8 = 0
      if running == 0xFF {
        guard position < end else { return nil }
        type = bytes[position]
        position += 1
      }
      guard let count = quantity(), count <= Int64(end - position) else { return nil }
      let event = FileEvent(
        track: Int32(track), data1: type, data2: 0, status: running, tick: Tick(tick),
        offset: UInt32(start),
        payload: PayloadRange(offset: UInt32(position), count: UInt32(count)))
      position = event.isEndOfTrack ? end : position + Int(count)
      return event
    }

    private mutating func quantity() -> Int64? {
      var value: Int64 = 0
      while position < end {
        let byte = bytes[position]
        position += 1
        value = value << 7 | Int64(byte & 0x7F)
        if byte < 0x80 { return value }
        guard value < 1 << 48 else { return nil }
      }
      return nil
    }
  }

  /// Returns an iterator that begins with the first event of the first track.
  public func makeIterator() -> Iterator { Iterator(self) }
}
