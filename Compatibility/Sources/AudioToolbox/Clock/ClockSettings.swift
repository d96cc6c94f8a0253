// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MusicalTime

/// The settings of a clock that a program can change, with their defaults.
struct ClockSettings: Sendable {
  var mode = CAClockSyncMode.internal
  var source: MIDIEndpointRef = 0
  var format = CAClockSMPTEFormat.type25
  /// The time code of the start, in seconds.
  var offset = 0.0
  /// The time in seconds for which the clock runs on without time code.
  var freewheel = 1.0
  var tempi = [CATempoMapEntry(beats: 0, tempoBPM: 120)]
  var meters = [CAMeterTrackEntry(beats: 0, meterNumer: 4, meterDenom: 4)]
  var sendsSongPosition = true

  /// Ticks per quarter note; the times of tempo changes are rounded to ticks.
  static let ppqn: PPQN = {
    guard let resolution = PPQN(24_000) else {
      preconditionFailure("24 000 must be a valid resolution")
    }
    return resolution
  }()
  /// The resolution of the offset: parts of a frame.
  private static let subframes: UInt16 = 1000

  /// The frame rate.
  var rate: FrameRate { Self.rate(of: format) ?? .fps25 }

  /// The frame rate of a format, or nil if the format is unknown.
  static func rate(of format: CAClockSMPTEFormat) -> FrameRate? {
    FrameRate.allCases.first { $0.coreAudioType == format.rawValue }
  }

  /// The time code of the start.
  ///
  /// - Throws: `TimeError.overflow` if it is out of range.
  func offsetLabel() throws(TimeError) -> Timecode {
    let frames = try Ratio(approximating: offset) * rate.framesPerSecond
    let parts = try (frames * Ratio(Int64(Self.subframes))).rounded(.nearest, unit: "subframes")
    return Timecode(subframes: parts.value, base: Self.subframes, rate: rate)
      ?? Timecode(frame: 0, rate: rate)
  }

  /// Makes a tempo map from entries.
  ///
  /// - Throws: `TimeError` for an invalid tempo or a time before beat 0.
  static func tempoMap(_ entries: [CATempoMapEntry]) throws(TimeError) -> TempoMap {
    var changes: [TempoChange] = []
    for entry in entries {
      let ticks = try Ratio(approximating: entry.beats) * Ratio(Int64(ppqn.ticks))
      changes.append(
        TempoChange(
          tick: Tick(try ticks.rounded(.nearest, unit: "ticks").value),
          tempo: try tempo(entry.tempoBPM)))
    }
    return try TempoMap(division: .ppqn(ppqn), changes: changes)
  }

  /// The fastest tempo in BPM; its MIDI clock has 24,000 messages per second.
  private static let fastest = 60_000.0

  /// A tempo, rounded to 10 ns per beat.
  ///
  /// - Throws: `TimeError.badTempo` for an invalid tempo or one above 60,000 BPM.
  static func tempo(_ beatsPerMinute: Double) throws(TimeError) -> Tempo {
    guard beatsPerMinute <= fastest else { throw .badTempo("\(beatsPerMinute) bpm") }
    return try Tempo.beatsPerMinute(
      Ratio(approximating: beatsPerMinute), rounding: .nearest
    ).value
  }

  /// Makes a meter map from entries.
  ///
  /// - Throws: `TimeError` for an invalid meter or a time before beat 0.
  static func meterMap(_ entries: [CAMeterTrackEntry]) throws(TimeError) -> MeterMap {
    var changes: [MeterChange] = []
    for entry in entries {
      changes.append(
        MeterChange(
          position: try Ratio(approximating: entry.beats),
          signature: try TimeSignature(
            numerator: Int(entry.meterNumer), denominator: Int(entry.meterDenom))))
    }
    return try MeterMap(changes: changes)
  }
}

extension Ratio {
  /// The ratio nearest to a floating-point value: to 2⁻⁴⁰ below 2²¹, to 2⁻²⁰ above.
  ///
  /// - Throws: `TimeError.overflow` if the value is not finite, or from 2⁴⁰ on.
  init(approximating value: Double) throws(TimeError) {
    guard value.isFinite, value.magnitude < 0x1p40 else { throw .overflow("a number") }
    let bits: Int64 = value.magnitude < 0x1p21 ? 40 : 20
    self.init(
      Int64((value * Double(Int64(1) << bits)).rounded()), over: Int64(1) << bits)
  }
}
