// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import MusicSequences
internal import MusicalTime

/// What a sequence's callback is to be told of a user event.
struct UserCall: Sendable {
  let bytes: [UInt8]
  /// When the event is, in its track.
  let time: MusicTimeStamp
  let track: TrackBox
  /// The beats of the slice that plays; of one that is passed over both ends are where the player goes.
  let slice: Range<MusicTimeStamp>
}

extension PlayedScore {
  /// The call for an event that is played; nil for one that is no user event.
  func call(_ event: TrackEvent, track: Int, at tick: Tick, rate: Double) -> UserCall? {
    guard tracks.indices.contains(track), case .user(let stamped) = event.content,
      let (time, bytes) = UserStamp.event(stamped)
    else { return nil }
    let start = event.tick == tick ? time : Double(tick.value) / ticksPerBeat
    let length = 0.005 * rate / map.secondsPerBeat(at: start)
    return UserCall(
      bytes: Array(bytes), time: time, track: tracks[track], slice: start..<start + length)
  }
}

extension SequenceBox {
  /// Calls the callback, if there is one.
  func tell(_ call: UserCall) {
    guard let callback, let sequence = unsafe pointer, let track = unsafe call.track.pointer else {
      return
    }
    let (time, slice) = (call.time, call.slice)
    let event = BeatEvent.raw(call.bytes, kMusicEventType_User, at: time)
    unsafe event.payload?.lend { bytes in
      guard let data = unsafe bytes.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self)
      else {
        return
      }
      unsafe callback.function(
        callback.data, sequence, track, time, data, slice.lowerBound, slice.upperBound)
    }
  }

  /// Tells the callback of the user events before a beat, with both beats of the slice there.
  func chaseUserEvents(to beat: MusicTimeStamp) {
    guard callback != nil, beat > 0 else { return }
    var found: [(event: BeatEvent, track: TrackBox)] = []
    for track in tracks {
      do {
        let events = try track.content().events.events(in: 0..<beat)
        found += events.filter { $0.type == kMusicEventType_User }.map { ($0, track) }
      } catch {
        continue
      }
    }
    found.sort { $0.event.time < $1.event.time }
    for (event, track) in found {
      tell(
        UserCall(bytes: event.rawBytes, time: event.time, track: track, slice: beat..<beat))
    }
  }
}
