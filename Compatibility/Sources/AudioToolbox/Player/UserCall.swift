// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import MusicSequences
internal import MusicalTime

/// A call of a sequence's callback for a user event.
struct UserCall: Sendable {
  let bytes: [UInt8]
  /// The time of the event in its track.
  let time: MusicTimeStamp
  let track: TrackBox
  /// The beats of the slice; if the player has moved past the event, both are the player's new
  /// position.
  let slice: Range<MusicTimeStamp>
}

extension PlayedScore {
  /// The call for an event that is played, or nil if it is not a user event.
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
  /// Calls the callback, if the sequence has one.
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

  /// Calls the callback for the user events before a beat, with a slice that starts and ends there.
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
