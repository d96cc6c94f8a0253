// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
package import MusicSequences
internal import MusicalTime

/// The data of a song for drawing, with all times in seconds.
package struct SongSurvey: Sendable {
  /// The name in its first track; nil if it does not have one.
  package private(set) var title: String?
  /// The audible notes, in order of their starts.
  package private(set) var notes: [SongNote] = []
  /// The channels with notes, in order.
  package private(set) var channels: [ChannelSurvey] = []
  /// The tempi in beats per minute, with their times in seconds.
  package private(set) var tempi: [(seconds: Double, value: Double)] = []
  /// The meters, keys and markers, with their times in seconds.
  package private(set) var meters: [(seconds: Double, text: String)] = []
  package private(set) var keys: [(seconds: Double, text: String)] = []
  package private(set) var markers: [(seconds: Double, text: String)] = []
  /// The length in seconds.
  package let length: Double
  let bars: BarLines

  /// Collects the data of a song.
  ///
  /// - Parameters:
  ///   - sequence: The song.
  ///   - decode: Decodes the bytes of a text.
  /// - Throws: `SequenceError.outOfRange` if its times do not fit into 64 bits.
  /// - Complexity: O(n log n) in its events.
  package init(
    _ sequence: MusicSequence, decoding decode: (MetaText) -> String
  ) throws(SequenceError) {
    let map = try sequence.tempoMap
    bars = BarLines(map, try sequence.meterMap)
    length = map.seconds(at: sequence.length).approximation
    tempi = map.changes.map {
      (map.seconds(at: $0.tick).approximation, $0.tempo.beatsPerMinute.approximation)
    }
    meters = sequence.timeSignatures.map {
      (map.seconds(at: $0.tick).approximation, "\($0.signature)")
    }
    takeMessages(of: sequence, map)
    takeTexts(of: sequence, map, decode)
  }

  private mutating func takeMessages(of sequence: MusicSequence, _ map: TempoMap) {
    var all = Self.channels(of: sequence.portDrums)
    var cursor = SequenceCursor(playing: sequence)
    let limit = sequence.length.advanced(by: 1)
    while let event = cursor.next(before: limit) {
      guard case .message(let message) = event.kind, event.port < TrackPorts.limit else { continue }
      let seconds = map.seconds(at: event.tick).approximation
      let place = Int(event.port) << 4 | Int(message.status & 0x0F)
      switch message.kind {
      case .noteOn(_, let key, let velocity) where velocity > 0:
        all[place].countNote()
        notes.append(
          SongNote(
            start: seconds, end: map.seconds(at: event.end).approximation, key: key.number,
            channel: UInt8(place), velocity: velocity))
      case .program(_, let program):
        all[place].take(program: program, at: seconds)
      case .control(_, let controller, let value):
        all[place].take(controller: controller.number, value, at: seconds)
      default: break
      }
    }
    channels = all.filter { $0.noteCount > 0 }
  }

  /// Sixteen channels for each port.
  private static func channels(of drums: PortDrums) -> [ChannelSurvey] {
    (0..<16 * min(drums.count, TrackPorts.limit)).map { index in
      ChannelSurvey(
        UInt8(index), isDrums: drums[index >> 4].most >> UInt16(index & 15) & 1 != 0,
        namesPort: drums.count > 1)
    }
  }

  private mutating func takeTexts(
    of sequence: MusicSequence, _ map: TempoMap, _ decode: (MetaText) -> String
  ) {
    title = sequence.tracks.first?.firstText(.trackName).map { decode(MetaText($0)) }
    for track in sequence.tracks + [sequence.tempoTrack] {
      for event in track.events {
        guard case .meta(let meta) = event.content else { continue }
        let seconds = map.seconds(at: event.tick).approximation
        if meta.textType == .marker {
          markers.append((seconds, decode(MetaText(meta.bytes))))
        } else if meta.type == 0x59, let key = KeySignature(meta.bytes) {
          keys.append((seconds, "\(key)"))
        }
      }
    }
    markers.sort { $0.seconds < $1.seconds }
    keys.sort { $0.seconds < $1.seconds }
  }
}
