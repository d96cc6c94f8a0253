// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// A metronome that clicks on every beat, with a bell on the first beat of a bar.
///
/// The sounds are those of General MIDI. The clicks are an ordinary track, so they are played in
/// time with the song, by the same instruments.
public struct Metronome: Hashable, Sendable {
  /// The maximum number of clicks in one track; enough for four hours at 400 beats per minute.
  public static let limit: Int64 = 96_000

  /// The MIDI channel of the clicks; 10 (percussion) by default.
  public var channel = Channel.percussion
  /// The key for the first beat of a bar; 34 (Metronome Bell) by default.
  public var bell = Key(34)
  /// The key for all other beats; 33 (Metronome Click) by default.
  public var click = Key(33)

  /// Creates a metronome with the default channel and keys.
  public init() {}

  /// Clicks on a number of beats from a position in quarter notes on, at the nearest ticks.
  ///
  /// The first click is the first beat of a bar.
  func beats(
    _ count: Int64, of meter: TimeSignature, from start: Ratio, _ resolution: PPQN
  ) throws(TimeError) -> [TrackEvent] {
    let ticks = Ratio(Int64(resolution.ticks))
    let beat = try meter.quartersPerBeat * ticks
    let first = try start * ticks
    let length = max(1, try (beat / 4).rounded(.floor).value)
    var events: [TrackEvent] = []
    for index in 0..<count {
      let isFirst = index % Int64(meter.numerator) == 0
      let note = Note(
        channel, isFirst ? bell : click, velocity: isFirst ? 110 : 90, duration: length)
      let tick = try (first + beat * Ratio(index)).rounded(.nearest).value
      events.append(TrackEvent(.note(note), at: Tick(tick)))
    }
    return events
  }
}

extension MusicSequence {
  /// Inserts bars of clicks (a count-in) before a tick, in the tempo and meter that apply there.
  ///
  /// All events at or after the tick move later by the length of these bars.
  ///
  /// - Parameters:
  ///   - bars: The number of bars.
  ///   - start: The tick at which the count-in begins.
  ///   - metronome: The channel and keys of the clicks.
  /// - Returns: The length of the count-in in ticks.
  /// - Throws: `SequenceError.notRepresentable` if the ticks of the sequence are parts of SMPTE
  ///   frames, because it then does not have bars; `SequenceError.outOfRange` if a tick does not
  ///   fit.
  public mutating func insertCountIn(
    bars: Int, at start: Tick, by metronome: Metronome = Metronome()
  ) throws(SequenceError) -> Int64 {
    let resolution = try resolutionForClicks()
    let (tempi, meters) = (try tempoMap, try meterMap)
    let clicks: [TrackEvent]
    let (tempo, meter): (Tempo, TimeSignature)
    let length: Int64
    do {
      let quarters = try tempi.quarters(at: start)
      (tempo, meter) = (tempi.tempo(at: start), try meters.signature(at: quarters))
      let beats = Int64(meter.numerator) * Int64(bars)
      let span = try meter.quartersPerBeat * Ratio(beats) * Ratio(Int64(resolution.ticks))
      length = try span.rounded(.nearest).value
      clicks = try metronome.beats(beats, of: meter, from: quarters, resolution)
    } catch {
      throw .outOfRange("\(error)")
    }
    try insertTime(length, at: start)
    try setTempo(tempo, at: start)
    try insertTimeSignature(meter, at: start)
    try append(clicks: clicks)
    return length
  }

  /// Appends a track with clicks on every beat up to a tick, at most `Metronome.limit` of them.
  ///
  /// - Throws: `SequenceError.notRepresentable` if the ticks of the sequence are parts of SMPTE
  ///   frames, because it then does not have bars; `SequenceError.outOfRange` if a tick does not
  ///   fit.
  /// - Complexity: O(n) in the clicks.
  public mutating func appendClicks(
    until end: Tick, by metronome: Metronome = Metronome()
  ) throws(SequenceError) {
    let resolution = try resolutionForClicks()
    let (tempi, meters) = (try tempoMap, try meterMap)
    var clicks: [TrackEvent] = []
    do {
      let last = try tempi.quarters(at: end)
      let starts = meters.changes.filter { $0.position < last }
      for (index, change) in starts.enumerated() {
        let next = index + 1 < starts.count ? starts[index + 1].position : last
        let beats = try (next - change.position) / change.signature.quartersPerBeat
        let room = Metronome.limit - Int64(clicks.count)
        let count = min(try beats.rounded(.ceil).value, room)
        clicks += try metronome.beats(
          count, of: change.signature, from: change.position, resolution)
      }
    } catch {
      throw .outOfRange("\(error)")
    }
    try append(clicks: clicks)
  }

  private func resolutionForClicks() throws(SequenceError) -> PPQN {
    guard case .ppqn(let resolution) = division else {
      throw .notRepresentable("clicks need bars, but this song is timed in SMPTE frames")
    }
    return resolution
  }

  private mutating func append(clicks: [TrackEvent]) throws(SequenceError) {
    var track = MusicTrack()
    try track.insert(contentsOf: clicks)
    tracks.append(track)
    if format == .single { format = .simultaneous }
  }
}
