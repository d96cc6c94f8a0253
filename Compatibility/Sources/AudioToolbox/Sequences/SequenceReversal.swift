// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Reverses a sequence in time: the events of all tracks, and the tempos.
///
/// A note starts at the mirrored time of its end and keeps its duration. Each passage keeps its
/// tempo and time signature.
///
/// - Returns: 0; `kAudio_ParamError` if the sequence is invalid;
///   `kAudioToolboxErr_InvalidPlayerState` while the sequence is playing.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceReverse(_ inSequence: MusicSequence?) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    try sequence.requireStanding()
    let tracks = sequence.tracks
    var length: MusicTimeStamp = 0
    for track in tracks { length = max(length, try track.content().length) }
    for track in tracks {
      try track.edit { (content) throws(StatusError) in
        content.events.replaceAll(content.events.all.reversed().map { $0.mirrored(in: length) })
      }
    }
    try sequence.tempoTrack.edit { (content) throws(StatusError) in
      content.events.replaceAll(TempoMirror(content.events.all, length: length).events)
    }
  }
}

extension BeatEvent {
  fileprivate func mirrored(in length: MusicTimeStamp) -> BeatEvent {
    moved(to: max(0, length - end))
  }
}

/// A reversed tempo track: each tempo or meter now begins at the mirrored end of its passage.
private struct TempoMirror {
  private(set) var events: [BeatEvent] = []

  init(_ old: [BeatEvent], length: MusicTimeStamp) {
    for isOfKind in [Self.isTempo, Self.isMeter] {
      let kind = old.filter(isOfKind)
      for (index, event) in kind.enumerated() {
        let end = index + 1 < kind.count ? min(kind[index + 1].time, length) : length
        guard end > event.time || end == length else { continue }
        events.append(event.moved(to: max(0, length - end)))
      }
      guard let first = kind.first, first.time > 0, first.time < length else { continue }
      // The passage before the first event has the defaults: 120 BPM, 4/4.
      events.append(Self.standard(like: first, at: length - first.time))
    }
    events += old.filter { !Self.isTempo($0) && !Self.isMeter($0) }
      .map { $0.moved(to: max(0, length - $0.time)) }
  }

  private static func isTempo(_ event: BeatEvent) -> Bool { event.tempo != nil }
  private static func isMeter(_ event: BeatEvent) -> Bool { event.meta?.type == 0x58 }

  private static func standard(like event: BeatEvent, at time: MusicTimeStamp) -> BeatEvent {
    isTempo(event)
      ? BeatEvent(time, kMusicEventType_ExtendedTempo, ExtendedTempoEvent(bpm: 120))
      : .meta(0x58, [4, 2, 24, 8], at: time)
  }
}
