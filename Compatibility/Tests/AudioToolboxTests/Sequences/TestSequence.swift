// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A sequence with tracks, freed at the end; its functions return values.
final class TestSequence {
  let handle: MusicSequence?
  private(set) var tracks: [MusicTrack?] = []

  init(tracks count: Int = 0) {
    var sequence: MusicSequence?
    NewMusicSequence(&sequence)
    handle = sequence
    for _ in 0..<count { addTrack() }
  }

  deinit { DisposeMusicSequence(handle) }

  @discardableResult
  func addTrack() -> MusicTrack? {
    var track: MusicTrack?
    MusicSequenceNewTrack(handle, &track)
    tracks.append(track)
    return track
  }

  var trackCount: Int {
    var count: UInt32 = 99
    MusicSequenceGetTrackCount(handle, &count)
    return Int(count)
  }

  func track(_ index: Int) -> MusicTrack? {
    var track: MusicTrack?
    MusicSequenceGetIndTrack(handle, UInt32(index), &track)
    return track
  }

  var tempoTrack: MusicTrack? {
    var track: MusicTrack?
    MusicSequenceGetTempoTrack(handle, &track)
    return track
  }

  func seconds(_ beats: MusicTimeStamp) -> Double {
    var seconds = Double.nan
    MusicSequenceGetSecondsForBeats(handle, beats, &seconds)
    return seconds
  }

  func beats(_ seconds: Double) -> MusicTimeStamp {
    var beats = Double.nan
    MusicSequenceGetBeatsForSeconds(handle, seconds, &beats)
    return beats
  }
}

/// An event as an iterator returns it.
struct TestEvent: Equatable, CustomStringConvertible {
  var time: MusicTimeStamp
  var type: MusicEventType
  var bytes: [UInt8]

  var note: MIDINoteMessage { bytes.withUnsafeBytes { $0.loadUnaligned(as: MIDINoteMessage.self) } }
  var bpm: Double { bytes.withUnsafeBytes { $0.loadUnaligned(as: Double.self) } }
  var description: String { "\(time):\(type):\(bytes)" }
}

@discardableResult
func addNote(
  _ track: MusicTrack?, _ key: UInt8, at time: MusicTimeStamp, duration: Float = 1,
  channel: UInt8 = 0
) -> OSStatus {
  var note = MIDINoteMessage(
    channel: channel, note: key, velocity: 100, releaseVelocity: 0, duration: duration)
  return MusicTrackNewMIDINoteEvent(track, time, &note)
}

@discardableResult
func addMeta(_ track: MusicTrack?, _ type: UInt8, _ bytes: [UInt8], at time: MusicTimeStamp)
  -> OSStatus
{
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 + bytes.count, alignment: 4)
  defer { memory.deallocate() }
  memory.storeBytes(of: UInt32(type), as: UInt32.self)
  memory.storeBytes(of: UInt32(bytes.count), toByteOffset: 4, as: UInt32.self)
  memory.advanced(by: 8).copyMemory(from: bytes, byteCount: bytes.count)
  return MusicTrackNewMetaEvent(track, time, memory.assumingMemoryBound(to: MIDIMetaEvent.self))
}

@discardableResult
func addBytes(
  _ track: MusicTrack?, _ bytes: [UInt8], at time: MusicTimeStamp, user: Bool = false
) -> OSStatus {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 + bytes.count, alignment: 4)
  defer { memory.deallocate() }
  memory.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
  memory.advanced(by: 4).copyMemory(from: bytes, byteCount: bytes.count)
  return user
    ? MusicTrackNewUserEvent(track, time, memory.assumingMemoryBound(to: MusicEventUserData.self))
    : MusicTrackNewMIDIRawDataEvent(track, time, memory.assumingMemoryBound(to: MIDIRawData.self))
}

/// The event of an iterator, or nil behind the last event.
func current(_ iterator: MusicEventIterator?) -> TestEvent? {
  var (time, type, size) = (0.0, MusicEventType(0), UInt32(0))
  var data: UnsafeRawPointer?
  guard MusicEventIteratorGetEventInfo(iterator, &time, &type, &data, &size) == noErr,
    let data
  else { return nil }
  return TestEvent(
    time: time, type: type,
    bytes: Array(UnsafeRawBufferPointer(start: data, count: Int(size))))
}

/// All events of a track.
func events(_ track: MusicTrack?) -> [TestEvent] {
  var iterator: MusicEventIterator?
  NewMusicEventIterator(track, &iterator)
  defer { DisposeMusicEventIterator(iterator) }
  var result: [TestEvent] = []
  while let event = current(iterator) {
    result.append(event)
    MusicEventIteratorNextEvent(iterator)
  }
  return result
}

/// The times of all events of a track.
func times(_ track: MusicTrack?) -> [MusicTimeStamp] { events(track).map(\.time) }

func length(_ track: MusicTrack?) -> MusicTimeStamp {
  var length = Double.nan
  MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &length, nil)
  return length
}

func setLength(_ track: MusicTrack?, _ length: MusicTimeStamp) {
  var length = length
  MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &length, 0)
}
