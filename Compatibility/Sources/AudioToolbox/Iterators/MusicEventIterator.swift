// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates an iterator that is on the first event of a track.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread.
@discardableResult
public func NewMusicEventIterator(
  _ inTrack: MusicTrack?, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let out = unsafe try given(outIterator)
    guard let handle = HandleTable.shared.add(try IteratorBox(track)) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe out.pointee = handle.pointer
  }
}

/// Frees an iterator.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid.
/// - Note: Any thread.
@discardableResult
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator?) -> OSStatus {
  status { () throws(StatusError) in
    _ = unsafe try object(inIterator, IteratorBox.self)
    guard let handle = unsafe Handle(inIterator), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
  }
}

/// Moves an iterator to the first event at or after a time, or past the last event.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid or the time is not a number.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorSeek(
  _ inIterator: MusicEventIterator?, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
  unsafe inTimeStamp.isNaN
    ? kAudio_ParamError
    : inIterator.lend { (iterator) throws(StatusError) in try iterator.seek(inTimeStamp) }
}

/// Moves an iterator to the next event, or past the last event.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid; `kAudioToolboxErr_EndOfTrack` if
///   it is already past the last event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator?) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in try iterator.next() }
}

/// Moves an iterator to the previous event.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid; `kAudioToolboxErr_StartOfTrack`,
///   without moving, if it is on the first event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator?) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in try iterator.previous() }
}

/// Returns the time, type and struct of an iterator's event; each result pointer may be nil.
///
/// The struct is valid until the track is edited.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid; `kAudioToolboxErr_EndOfTrack`
///   past the last event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorGetEventInfo(
  _ inIterator: MusicEventIterator?, _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>?,
  _ outEventType: UnsafeMutablePointer<MusicEventType>?,
  _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ outEventDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    let (chunk, offset) = try iterator.current()
    unsafe outTimeStamp.put(chunk.time(at: offset))
    unsafe outEventType.put(chunk.type(at: offset))
    if unsafe outEventData == nil, unsafe outEventDataSize == nil { return }
    let (bytes, size) = unsafe chunk.data(at: offset)
    unsafe outEventData.put(bytes)
    unsafe outEventDataSize.put(UInt32(size))
  }
}

/// Replaces the type and struct of an iterator's event; the event keeps its time.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator or the struct is invalid;
///   `kAudioToolboxErr_InvalidEventType`; `kAudioToolboxErr_EndOfTrack` past the last event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorSetEventInfo(
  _ inIterator: MusicEventIterator?, _ inEventType: MusicEventType,
  _ inEventData: UnsafeRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let event = unsafe try BeatEvent(inEventType, inEventData, at: 0)
    unsafe try inIterator.edit { (events, place) throws(StatusError) in
      let key = events[place].key
      events.replace(at: place, with: event)
      return key
    }
  }
}

/// Moves an iterator's event to another time, after the events at that time.
///
/// The iterator stays on the event.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid or the time is not in 0…10⁹;
///   `kAudioToolboxErr_EndOfTrack` past the last event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorSetEventTime(
  _ inIterator: MusicEventIterator?, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    guard BeatEvent.canStand(at: inTimeStamp) else { throw .parameter }
    unsafe try inIterator.edit { (events, place) throws(StatusError) in
      let event = events[place].moved(to: inTimeStamp)
      events.remove(at: place)
      return events.insert(event)
    }
  }
}

/// Removes an iterator's event; then the iterator is on the next event.
///
/// - Returns: 0; `kAudio_ParamError` if the iterator is invalid; `kAudioToolboxErr_EndOfTrack`
///   past the last event.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorDeleteEvent(_ inIterator: MusicEventIterator?) -> OSStatus {
  status { () throws(StatusError) in
    unsafe try inIterator.edit { (events, place) throws(StatusError) in
      let key = events[place].key
      events.remove(at: place)
      return key
    }
  }
}

/// Checks if there is an event before an iterator's place.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorHasPreviousEvent(
  _ inIterator: MusicEventIterator?, _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasPrevEvent).pointee = DarwinBoolean(try iterator.has().previous)
  }
}

/// Checks if there is an event after an iterator's event.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorHasNextEvent(
  _ inIterator: MusicEventIterator?, _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasNextEvent).pointee = DarwinBoolean(try iterator.has().next)
  }
}

/// Checks if an iterator is on an event, not past the last event.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicEventIteratorHasCurrentEvent(
  _ inIterator: MusicEventIterator?, _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasCurEvent).pointee = DarwinBoolean(try iterator.has().current)
  }
}

extension MusicEventIterator? {
  /// Runs `body` with the iterator, which other threads cannot use meanwhile.
  fileprivate func lend(_ body: (IteratorBox) throws(StatusError) -> Void) -> OSStatus {
    let status = unsafe HandleTable.withSole(self, IteratorBox.self) { iterator in
      do throws(StatusError) {
        try body(iterator)
        return noErr
      } catch {
        return error.code
      }
    }
    return status ?? kAudio_ParamError
  }

  /// Edits the track at the iterator's place and notifies the sequence.
  fileprivate func edit(
    _ body: (inout EventList, EventList.Place) throws(StatusError) -> EventKey
  ) throws(StatusError) {
    var sequence: SequenceBox?
    let status = unsafe lend { (iterator) throws(StatusError) in
      try iterator.edit(body)
      sequence = iterator.sequence
    }
    if status != noErr { throw StatusError(status) }
    // Not while the iterator is lent: a player may have to wait for a callback that uses it.
    sequence?.noteEdit()
  }
}
