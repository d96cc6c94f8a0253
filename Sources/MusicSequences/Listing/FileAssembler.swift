// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Builds a Standard MIDI File from single events; the inverse of `FileEvents`.
///
/// You can add the events of a track in any order. Events at the same tick keep the order in which
/// they were added.
public struct FileAssembler: Sendable {
  private let format: MusicSequence.Format
  private let division: UInt16
  private var tracks: [Track] = []

  /// The maximum number of tracks in a file: 65,535.
  public static let maximumTracks = 65_535

  private struct Track {
    var bodies: [UInt8] = []
    var events: [(tick: Int64, start: Int, count: Int)] = []
    var end: Int64 = 0
    var isInOrder = true
  }

  /// Creates a file without tracks.
  ///
  /// - Throws: `SequenceError.notRepresentable` if the division has a frame rate that a file cannot
  ///   store.
  public init(
    format: MusicSequence.Format, division: Division
  ) throws(SequenceError) {
    guard let bits = division.smfBits else {
      throw .notRepresentable("the frame rate must be 24, 25, 29.97 or 30")
    }
    self.format = format
    self.division = bits
  }

  /// Adds a track, and all missing tracks before it.
  ///
  /// - Parameter index: The index of the track, from 0.
  /// - Throws: `SequenceError.outOfRange` if `index` is negative or above 65,534.
  public mutating func addTrack(_ index: Int) throws(SequenceError) {
    guard (0..<Self.maximumTracks).contains(index) else {
      throw .outOfRange("track \(index + 1) is out of range (allowed: 1…\(Self.maximumTracks))")
    }
    while tracks.count <= index { tracks.append(Track()) }
  }

  /// Sets the minimum length of a track in ticks.
  ///
  /// If the track does not exist yet, it is added.
  ///
  /// - Throws: `SequenceError.outOfRange` if the tick or the track is out of range.
  public mutating func endTrack(_ index: Int, at tick: Int64) throws(SequenceError) {
    try addTrack(index)
    try Self.check(tick)
    tracks[index].end = Swift.max(tracks[index].end, tick)
  }

  /// Adds a channel message.
  ///
  /// If the track does not exist yet, it is added.
  ///
  /// - Throws: `SequenceError.outOfRange` if the tick or the track is out of range, or the bytes
  ///   are not a channel message.
  public mutating func addMessage(
    _ status: UInt8, _ data1: UInt8, _ data2: UInt8, track: Int, tick: Int64
  ) throws(SequenceError) {
    guard (0x80...0xEF).contains(status), data1 < 0x80, data2 < 0x80 else {
      throw .outOfRange("\(hexadecimal(Int(status))) is not a channel message")
    }
    try begin(track, tick)
    tracks[track].bodies.append(status)
    tracks[track].bodies.append(data1)
    if status & 0xE0 != 0xC0 { tracks[track].bodies.append(data2) }
    finish(track, tick)
  }

  /// Adds a meta event.
  ///
  /// If the track does not exist yet, it is added.
  ///
  /// - Throws: `SequenceError.outOfRange` if the tick, the track or the length is out of range, or
  ///   for an end of track (type 2F).
  public mutating func addMeta(
    _ type: UInt8, _ payload: some Collection<UInt8>, track: Int, tick: Int64
  ) throws(SequenceError) {
    // Types above 127 are not valid, but they occur and are kept.
    guard type != 0x2F else {
      throw .outOfRange("meta type 47 is the end of track (write an End_track row)")
    }
    try add([0xFF, type], payload, track: track, tick: tick)
  }

  /// Adds a SysEx message (the bytes after F0), or a packet of bytes that are sent unchanged (the
  /// bytes after F7).
  ///
  /// If the track does not exist yet, it is added.
  ///
  /// - Throws: `SequenceError.outOfRange` if the tick, the track or the length is out of range.
  public mutating func addSysEx(
    _ payload: some Collection<UInt8>, isPacket: Bool, track: Int, tick: Int64
  ) throws(SequenceError) {
    try add([isPacket ? 0xF7 : 0xF0], payload, track: track, tick: tick)
  }

  private mutating func add(
    _ head: [UInt8], _ payload: some Collection<UInt8>, track: Int, tick: Int64
  ) throws(SequenceError) {
    guard payload.count < 1 << 28 else {
      throw .outOfRange("payload of \(payload.count) bytes is too large (at most 268435455)")
    }
    try begin(track, tick)
    let (length, count) = OutputBytes.packed(UInt32(payload.count))
    tracks[track].bodies.append(contentsOf: head)
    for index in 0..<count {
      tracks[track].bodies.append(UInt8(truncatingIfNeeded: length >> UInt64(8 * index)))
    }
    tracks[track].bodies.append(contentsOf: payload)
    finish(track, tick)
  }

  private mutating func begin(_ track: Int, _ tick: Int64) throws(SequenceError) {
    if track >= tracks.count || track < 0 { try addTrack(track) }
    try Self.check(tick)
    if let last = tracks[track].events.last, last.tick > tick { tracks[track].isInOrder = false }
    tracks[track].events.append((tick, tracks[track].bodies.count, 0))
  }

  private mutating func finish(_ track: Int, _ tick: Int64) {
    let last = tracks[track].events.count - 1
    tracks[track].events[last].count =
      tracks[track].bodies.count - tracks[track].events[last].start
    tracks[track].end = Swift.max(tracks[track].end, tick)
  }

  private static func check(_ tick: Int64) throws(SequenceError) {
    guard (0...Int64(EventRecord.maximumTick)).contains(tick) else {
      throw .outOfRange("tick \(tick) is out of range (allowed: 0…281474976710655)")
    }
  }
}

extension FileAssembler {
  /// Returns the bytes of the file, with running status.
  ///
  /// - Throws: `SequenceError.notRepresentable` for a track of more than 4 GiB, or a gap of more
  ///   than 268 435 455 ticks between events.
  /// - Complexity: O(n) for events that were added in order, otherwise O(n log n).
  public func file() throws(SequenceError) -> [UInt8] {
    var out = OutputBytes()
    out.append("MThd")
    out.append(long: 6)
    for word in [format.rawValue, UInt16(tracks.count), division] { out.append(word: word) }
    for track in tracks { try Self.append(track, to: &out) }
    return out.bytes
  }

  private static func append(
    _ track: Track, to out: inout OutputBytes
  ) throws(SequenceError) {
    out.append("MTrk")
    let lengthAt = out.count
    out.append(long: 0)
    var running: UInt8 = 0
    var tick: Int64 = 0
    // The standard library's sort is stable.
    let events = track.isInOrder ? track.events : track.events.sorted { $0.tick < $1.tick }
    for event in events {
      try appendDelta(from: &tick, to: event.tick, &out)
      let body = track.bodies[event.start..<event.start + event.count]
      let status = track.bodies[event.start]
      out.append(contentsOf: status == running ? body.dropFirst() : body)
      running = status < 0xF0 ? status : 0
    }
    try appendDelta(from: &tick, to: track.end, &out)
    out.append(contentsOf: [0xFF, 0x2F, 0x00])
    guard let length = UInt32(exactly: out.count - lengthAt - 4) else {
      throw .notRepresentable("track is larger than 4294967295 bytes")
    }
    out.put(long: length, at: lengthAt)
  }

  /// Appends the time since the last event, which must fit into four bytes.
  ///
  /// A file that was read and listed does not have longer gaps, and a very large tick in a list
  /// must not fill the memory.
  private static func appendDelta(
    from last: inout Int64, to tick: Int64, _ out: inout OutputBytes
  ) throws(SequenceError) {
    guard let delta = UInt32(exactly: tick - last), delta <= 0x0FFF_FFFF else {
      throw .notRepresentable(
        "tick \(tick) is more than 268435455 ticks after the event before it, at \(last) (insert "
          + "an empty text between them)")
    }
    out.append(quantity: delta)
    last = tick
  }
}
