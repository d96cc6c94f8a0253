// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import Foundation

/// The conversion between beats and seconds of a sequence, as a list of tempos.
///
/// Times are sums of doubles, exact to about 10⁻¹⁵ of their size: 1 ns after a week.
struct BeatMap: Sendable {
  private var beats: [Double] = [0]
  private var seconds: [Double] = [0]
  private var secondsPerBeat: [Double]

  /// Creates a map from tempos in order of beat; of several tempos at a beat, the last applies.
  ///
  /// - Parameters:
  ///   - standard: seconds per beat before the first tempo.
  ///   - tempi: beats and seconds per beat.
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

  /// The seconds at a beat; before beat 0, at the first tempo.
  ///
  /// - Complexity: O(log n).
  func seconds(atBeat beat: Double) -> Double {
    let step = Self.last(in: beats, atOrBelow: beat)
    return seconds[step] + (beat - beats[step]) * secondsPerBeat[step]
  }

  /// The beat at a time in seconds; before 0, at the first tempo.
  ///
  /// - Complexity: O(log n).
  func beat(atSeconds time: Double) -> Double {
    let step = Self.last(in: seconds, atOrBelow: time)
    return beats[step] + (time - seconds[step]) / secondsPerBeat[step]
  }

  /// The duration of a beat at a position, in seconds.
  func secondsPerBeat(at beat: Double) -> Double {
    secondsPerBeat[Self.last(in: beats, atOrBelow: beat)]
  }

  /// All tempos: beat and seconds per beat.
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
  /// Creates the map of a tempo track.
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
  /// The BPM of a tempo event or of a file's tempo meta event; nil for another event.
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

  /// The bytes of a meta event of this type; empty for another event.
  func metaBytes(_ type: UInt8) -> [UInt8] {
    guard let meta, meta.type == type else { return [] }
    return meta.bytes
  }

  /// The type and bytes of a meta event.
  var meta: (type: UInt8, bytes: [UInt8])? {
    guard type == kMusicEventType_Meta, let payload else { return nil }
    return (payload.value(as: UInt8.self), payload.bytes(from: 8))
  }

  /// The bytes of a raw data or user event.
  var rawBytes: [UInt8] {
    payload?.bytes(from: 4) ?? []
  }
}
