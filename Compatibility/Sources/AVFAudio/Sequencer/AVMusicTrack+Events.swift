// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreAudio

/// A block that receives the events in a range.
///
/// The block can move an event by changing `timeStamp`, and remove it by setting `removeEvent` to
/// true.
public typealias AVMusicEventEnumerationBlock = (
  _ event: AVMusicEvent, _ timeStamp: inout AVMusicTimeStamp, _ removeEvent: inout Bool
) -> Void

extension AVMusicTrack {
  /// Adds an event to the track.
  ///
  /// - Parameters:
  ///   - event: The event. An event with a value outside its range is not added.
  ///   - beat: The beat of the event, 0…10⁹.
  public func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
    unsafe event.add(to: track, at: beat)
  }

  /// Moves the events in a range.
  ///
  /// - Parameters:
  ///   - range: The range of beats.
  ///   - beatAmount: The number of beats by which the events move later; negative to move them
  ///     earlier.
  public func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
    unsafe MusicTrackMoveEvents(track, range.start, range.end, beatAmount)
  }

  /// Removes the events in a range; other events do not move.
  ///
  /// - Parameter range: The range of beats.
  public func clearEvents(in range: AVBeatRange) {
    unsafe MusicTrackClear(track, range.start, range.end)
  }

  /// Removes the events in a range, and moves later events earlier to close the gap.
  ///
  /// - Parameter range: The range of beats.
  public func cutEvents(in range: AVBeatRange) {
    unsafe MusicTrackCut(track, range.start, range.end)
  }

  /// Inserts a copy of events from `sourceTrack`, and moves later events to make room.
  ///
  /// - Parameters:
  ///   - range: The range of beats in the source track.
  ///   - sourceTrack: The source track.
  ///   - insertStartBeat: The beat in this track at which the copy starts.
  public func copyEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack,
    insertAt insertStartBeat: AVMusicTimeStamp
  ) {
    unsafe MusicTrackCopyInsert(
      sourceTrack.track, range.start, range.end, track, insertStartBeat)
  }

  /// Adds a copy of events from `sourceTrack`; the events of this track do not move.
  ///
  /// - Parameters:
  ///   - range: The range of beats in the source track.
  ///   - sourceTrack: The source track.
  ///   - mergeStartBeat: The beat in this track at which the copy starts.
  public func copyAndMergeEvents(
    in range: AVBeatRange, from sourceTrack: AVMusicTrack, mergeAt mergeStartBeat: AVMusicTimeStamp
  ) {
    unsafe MusicTrackMerge(sourceTrack.track, range.start, range.end, track, mergeStartBeat)
  }

  /// Calls a block for each event in a range; the block can move or remove the event.
  ///
  /// Changes to the properties of the event objects are ignored. A moved event is not visited
  /// again. If the new beat is invalid, the event is not moved.
  ///
  /// - Parameters:
  ///   - range: The range of beats.
  ///   - block: The block.
  public func enumerateEvents(in range: AVBeatRange, using block: AVMusicEventEnumerationBlock) {
    var iterator: MusicEventIterator?
    guard unsafe NewMusicEventIterator(track, &iterator) == 0 else { return }
    defer { unsafe DisposeMusicEventIterator(iterator) }
    let start = range.start
    guard !start.isNaN, unsafe MusicEventIteratorSeek(iterator, max(0, start)) == 0 else { return }
    var moves: [Move] = []
    defer { for move in moves { move.perform() } }
    // The events of the present beat that are passed and not removed.
    var (last, passed) = (-1.0, 0)
    while let (event, beat) = unsafe Self.current(iterator), beat < range.end {
      if beat != last { (last, passed) = (beat, 0) }
      var (newBeat, removes) = (beat, false)
      block(event, &newBeat, &removes)
      if removes {
        unsafe MusicEventIteratorDeleteEvent(iterator)
        continue
      }
      if newBeat != beat { unsafe moves.append(Move(track, beat, passed, to: newBeat)) }
      passed += 1
      guard unsafe MusicEventIteratorNextEvent(iterator) == 0 else { break }
    }
  }

  /// The move of an event, which keeps all of its values.
  @safe
  private struct Move {
    private let iterator: MusicEventIterator?
    private let beat: AVMusicTimeStamp

    /// Finds an event by its beat and the number of events before it at the beat.
    @unsafe
    init(_ track: MusicTrack, _ old: AVMusicTimeStamp, _ number: Int, to beat: AVMusicTimeStamp) {
      var made: MusicEventIterator?
      unsafe NewMusicEventIterator(track, &made)
      unsafe MusicEventIteratorSeek(made, old)
      for _ in 0..<number { unsafe MusicEventIteratorNextEvent(made) }
      unsafe iterator = made
      self.beat = beat
    }

    /// Moves the event, which the iterator is still on.
    func perform() {
      unsafe MusicEventIteratorSetEventTime(iterator, beat)
      unsafe DisposeMusicEventIterator(iterator)
    }
  }

  /// The event of an iterator; nil at the end.
  @unsafe
  private static func current(
    _ iterator: MusicEventIterator?
  ) -> (AVMusicEvent, AVMusicTimeStamp)? {
    var (beat, type, size) = (MusicTimeStamp(0), MusicEventType(0), UInt32(0))
    var data: UnsafeRawPointer?
    guard
      unsafe MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size) == 0,
      let data = unsafe data
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(size))
    return (unsafe AVMusicEvent.make(type, bytes), beat)
  }
}

extension AVBeatRange {
  /// The beat after the last one; a length without bounds ends with the track.
  var end: AVMusicTimeStamp {
    let end = start + length
    return end.isFinite && end <= 1e9 ? end : kMusicTimeStamp_EndOfTrack
  }
}
