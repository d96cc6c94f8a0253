// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MusicalTime

/// What a program has set of a clock, and the library's values of it.
struct ClockSettings: Sendable {
  var mode = CAClockSyncMode.internal
  var source: MIDIEndpointRef = 0
  var format = CAClockSMPTEFormat.type25
  /// Seconds of the label at the start.
  var offset = 0.0
  /// Seconds.
  var freewheel = 1.0
  var tempi = [CATempoMapEntry(beats: 0, tempoBPM: 120)]
  var meters = [CAMeterTrackEntry(beats: 0, meterNumer: 4, meterDenom: 4)]
  var sendsSongPosition = true

  /// Ticks of a quarter note: tempo changes lie on them.
  static let ppqn: PPQN = {
    guard let resolution = PPQN(24_000) else {
      preconditionFailure("24 000 must be a valid resolution")
    }
    return resolution
  }()
  /// Parts of a frame in which the offset is held.
  private static let subframes: UInt16 = 1000

  /// The frame rate.
  var rate: FrameRate { Self.rate(of: format) ?? .fps25 }

  /// The rate of a format; nil for none.
  static func rate(of format: CAClockSMPTEFormat) -> FrameRate? {
    FrameRate.allCases.first { $0.coreAudioType == format.rawValue }
  }

  /// The label at the start.
  ///
  /// - Throws: `TimeError.overflow` where it is out of range.
  func offsetLabel() throws(TimeError) -> Timecode {
    let frames = try Ratio(approximating: offset) * rate.framesPerSecond
    let parts = try (frames * Ratio(Int64(Self.subframes))).rounded(.nearest, unit: "subframes")
    return Timecode(subframes: parts.value, base: Self.subframes, rate: rate)
      ?? Timecode(frame: 0, rate: rate)
  }

  /// The tempo map of entries.
  ///
  /// - Throws: `TimeError` for what is no tempo, or before beat 0.
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

  /// The fastest tempo: a MIDI clock of more would be all that there is time for.
  private static let fastest = 60_000.0

  /// A tempo, to 10 ns a beat.
  ///
  /// - Throws: `TimeError.badTempo` for what is none, or too fast.
  static func tempo(_ beatsPerMinute: Double) throws(TimeError) -> Tempo {
    guard beatsPerMinute <= fastest else { throw .badTempo("\(beatsPerMinute) bpm") }
    return try Tempo.beatsPerMinute(
      Ratio(approximating: beatsPerMinute), rounding: .nearest
    ).value
  }

  /// The meters of entries.
  ///
  /// - Throws: `TimeError` for what is no meter, or before beat 0.
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
  /// The number nearest to one in floating point, to 2⁻⁴⁰.
  ///
  /// - Throws: `TimeError.overflow` from 2⁴⁰ on, and for what is no number.
  init(approximating value: Double) throws(TimeError) {
    guard value.isFinite, value.magnitude < 0x1p40 else { throw .overflow("a number") }
    let bits: Int64 = value.magnitude < 0x1p21 ? 40 : 20
    self.init(
      Int64((value * Double(Int64(1) << bits)).rounded()), over: Int64(1) << bits)
  }
}
