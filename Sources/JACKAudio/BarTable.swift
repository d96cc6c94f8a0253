// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import MusicalTime

/// The bars of a song as JACK's transport counts them, with 1920 ticks per quarter note.
///
/// A beat is that of the meter: an eighth note has 960 ticks, and twice the number of beats per
/// minute.
///
/// - Note: Real-time safe.
struct BarTable: Sendable {
  private static let ticksPerQuarter: Int64 = 1_920

  let tempoMap: TempoMap
  let meterMap: MeterMap
  let rate: SampleRate

  /// The bar, beat and tempo at a frame; nil outside the range of 64 bits.
  func place(at frame: UInt32) -> CJACKPlace? {
    do throws(TimeError) {
      let seconds = Ratio(Int64(frame), over: Int64(rate.hertz))
      let ticks = try tempoMap.ticks(atSeconds: seconds)
      let quarters = try tempoMap.quarters(atTicks: ticks)
      let signature = try meterMap.signature(at: quarters)
      let label = try meterMap.barBeat(at: quarters, divisor: 1, rounding: .floor)
      let beat = Double(Self.ticksPerQuarter) * signature.quartersPerBeat.approximation
      let bar = BarBeat(bar: label.value.bar, beat: 1, subbeat: 0, divisor: 1)
      let start = try meterMap.quarters(at: bar)
      let tempo = tempoMap.tempo(at: Tick(try ticks.rounded(.floor, unit: "ticks").value))
      var place = CJACKPlace()
      place.bar = label.value.bar
      place.beat = Int32(label.value.beat)
      place.tick = label.residue.approximation * beat
      place.bar_start_tick = start.approximation * Double(Self.ticksPerQuarter)
      place.beats_per_bar = Float(signature.numerator)
      place.beat_type = Float(signature.denominator)
      place.ticks_per_beat = beat
      place.beats_per_minute =
        6e9 / Double(tempo.tenNanosecondsPerQuarter)
        / signature.quartersPerBeat.approximation
      return place
    } catch {
      return nil
    }
  }
}
