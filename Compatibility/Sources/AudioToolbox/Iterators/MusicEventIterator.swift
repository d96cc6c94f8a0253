// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Makes an iterator on the first event of a track.
///
/// - Returns: `noErr`; `ParamError`; `MemFullError` where a million objects are there already.
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
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator?) -> OSStatus {
  status { () throws(StatusError) in
    _ = unsafe try object(inIterator, IteratorBox.self)
    guard let handle = unsafe Handle(inIterator), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
  }
}

/// Goes to the first event at or after a time; behind the last where there is none.
///
/// - Returns: `noErr`; `ParamError`, for what is no number, too.
@discardableResult
public func MusicEventIteratorSeek(
  _ inIterator: MusicEventIterator?, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
  unsafe inTimeStamp.isNaN
    ? kAudio_ParamError
    : inIterator.lend { (iterator) throws(StatusError) in try iterator.seek(inTimeStamp) }
}

/// Goes to the next event, or behind the last.
///
/// - Returns: `noErr`; `ParamError`; `EndOfTrack` where it is behind the last already.
@discardableResult
public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator?) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in try iterator.next() }
}

/// Goes to the event before.
///
/// - Returns: `noErr`; `ParamError`; `StartOfTrack` on the first event, where it stays.
@discardableResult
public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator?) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in try iterator.previous() }
}

/// Time, type and struct of the event that an iterator is on; what is not wanted may be nil.
///
/// The struct may be read until the track changes.
///
/// - Returns: `noErr`; `ParamError`; `EndOfTrack` behind the last event.
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

/// Puts another type and struct in the place of the event that an iterator is on; its time stays.
///
/// - Returns: `noErr`; `ParamError`; `InvalidEventType`; `EndOfTrack` behind the last event.
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

/// Moves the event that an iterator is on; the iterator stays on it, after others of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0, too; `EndOfTrack` behind the last event.
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

/// Removes the event that an iterator is on; it is on the one that followed then.
///
/// - Returns: `noErr`; `ParamError`; `EndOfTrack` behind the last event.
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

/// Whether there is an event before.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicEventIteratorHasPreviousEvent(
  _ inIterator: MusicEventIterator?, _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasPrevEvent).pointee = DarwinBoolean(try iterator.has().previous)
  }
}

/// Whether there is an event after the one that an iterator is on.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicEventIteratorHasNextEvent(
  _ inIterator: MusicEventIterator?, _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasNextEvent).pointee = DarwinBoolean(try iterator.has().next)
  }
}

/// Whether an iterator is on an event; it is not behind the last.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicEventIteratorHasCurrentEvent(
  _ inIterator: MusicEventIterator?, _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe inIterator.lend { (iterator) throws(StatusError) in
    unsafe try given(outHasCurEvent).pointee = DarwinBoolean(try iterator.has().current)
  }
}

extension MusicEventIterator? {
  /// Has a body run with the iterator, which no other thread has meanwhile.
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

  /// Changes the track where the iterator is, and tells its sequence of it.
  fileprivate func edit(
    _ body: (inout EventList, EventList.Place) throws(StatusError) -> EventKey
  ) throws(StatusError) {
    var sequence: SequenceBox?
    let status = unsafe lend { (iterator) throws(StatusError) in
      try iterator.edit(body)
      sequence = iterator.sequence
    }
    if status != noErr { throw StatusError(status) }
    // Not while it is lent: a player may have to wait for a callback that uses it.
    sequence?.noteEdit()
  }
}
