// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import Foundation

/// Beats and seconds of a sequence: a step of tempo after another.
///
/// Times are sums of doubles, exact to some 10⁻¹⁵ of their size: a nanosecond after a week.
struct BeatMap: Sendable {
  private var beats: [Double] = [0]
  private var seconds: [Double] = [0]
  private var secondsPerBeat: [Double]

  /// Creates a map from tempi in order of beat, as seconds a beat; of several at a beat the last
  /// counts.
  ///
  /// - Parameters:
  ///   - standard: Seconds a beat before the first of them.
  ///   - tempi: Beat and seconds a beat.
  init(standard: Double, _ tempi: [(beat: Double, secondsPerBeat: Double)]) {
    secondsPerBeat = [standard]
    for tempo in tempi {
      let last = beats.count - 1
      if tempo.beat <= beats[last] {
        secondsPerBeat[last] = tempo.secondsPerBeat
      } else {
        seconds.append(seconds[last] + (tempo.beat - beats[last]) * secondsPerBeat[last])
        beats.append(tempo.beat)
        secondsPerBeat.append(tempo.secondsPerBeat)
      }
    }
  }

  /// The seconds at a beat; before 0 at the first tempo.
  ///
  /// - Complexity: O(log n).
  func seconds(atBeat beat: Double) -> Double {
    let step = Self.last(in: beats, atOrBelow: beat)
    return seconds[step] + (beat - beats[step]) * secondsPerBeat[step]
  }

  /// The beat at a time in seconds; before 0 at the first tempo.
  ///
  /// - Complexity: O(log n).
  func beat(atSeconds time: Double) -> Double {
    let step = Self.last(in: seconds, atOrBelow: time)
    return beats[step] + (time - seconds[step]) / secondsPerBeat[step]
  }

  /// How long a beat is at a beat, in seconds.
  func secondsPerBeat(at beat: Double) -> Double {
    secondsPerBeat[Self.last(in: beats, atOrBelow: beat)]
  }

  /// Every step: beat and seconds a beat.
  var steps: [(beat: Double, secondsPerBeat: Double)] {
    zip(beats, secondsPerBeat).map { ($0, $1) }
  }

  private static func last(in keys: [Double], atOrBelow value: Double) -> Int {
    var (low, high) = (0, keys.count)
    while low + 1 < high {
      let middle = (low + high) >> 1
      if keys[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}

extension BeatMap {
  /// The map of a tempo track.
  init(_ type: MusicSequenceType, _ tempoTrack: EventList) {
    let standard = type == .beats ? 0.5 : type == .seconds ? 1 : 1 / 44_100
    self.init(
      standard: standard,
      tempoTrack.all.compactMap { event in
        guard let tempo = event.tempo else { return nil }
        return (event.time, (type == .samples ? 1 : 60) / tempo)
      })
  }
}

extension BeatEvent {
  /// The beats a minute of a tempo event, or of a file's meta; nil for anything else.
  var tempo: Double? {
    switch type {
    case kMusicEventType_ExtendedTempo: return value(as: ExtendedTempoEvent.self).bpm
    case kMusicEventType_Meta:
      let bytes = metaBytes(0x51)
      guard bytes.count == 3 else { return nil }
      let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
      return length > 0 ? 60e6 / Double(length) : nil
    default: return nil
    }
  }

  /// The bytes of a meta event of a type; none of any other event.
  func metaBytes(_ type: UInt8) -> [UInt8] {
    guard let meta, meta.type == type else { return [] }
    return meta.bytes
  }

  /// Type and bytes of a meta event.
  var meta: (type: UInt8, bytes: [UInt8])? {
    guard type == kMusicEventType_Meta, let payload else { return nil }
    return (payload.value(as: UInt8.self), payload.bytes(from: 8))
  }

  /// The bytes of raw data or of a user event.
  var rawBytes: [UInt8] {
    payload?.bytes(from: 4) ?? []
  }
}
