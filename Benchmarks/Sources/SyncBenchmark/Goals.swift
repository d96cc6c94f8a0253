// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces
import MusicalTime

/// The bounds of clock recovery, and where Downbeat stands.
struct Goals {
  private let figures: [String: [TraceFigures]]
  private let seeds: Range<Int>

  init(_ figures: [String: [TraceFigures]], seeds: Range<Int>) {
    self.figures = figures
    self.seeds = seeds
  }

  var all: [Goal] {
    get throws { steady + moving + faults + slips + timecode + (try periods) }
  }

  /// No trace may end a clock off.
  private var slips: [Goal] {
    ClockTrace.names.compactMap { name in
      figures[name].map {
        Goal(
          "\(name): slips", Double($0[0].slips), must: 0,
          rival: "\($0[2].slips); \($0[3].slips)")
      }
    }
  }

  private func goal(
    _ title: String, _ trace: String, must: Double, stretch: Double? = nil, published: Bool = false,
    _ value: (TraceFigures) -> Double
  ) -> Goal {
    let all = figures[trace] ?? []
    return Goal(
      title, value(all[published ? 1 : 0]), must: must, stretch: stretch,
      rival: published ? "" : "\(figure(value(all[2]))); \(figure(value(all[3])))")
  }

  private var steady: [Goal] {
    [
      goal("F1 1 ms jitter: RMS ms", "g1.0", must: 0.10, stretch: 0.08, \.rms),
      goal("F1 1 ms jitter: p99 ms", "g1.0", must: 0.28, stretch: 0.22, \.p99),
      goal("F2 0.5 ms: RMS ms", "g0.5", must: 0.06, stretch: 0.045, \.rms),
      goal("F2 0.5 ms: p99 ms", "g0.5", must: 0.16, stretch: 0.12, \.p99),
      goal("F3 0.1 ms: RMS ms", "g0.1", must: 0.018, stretch: 0.010, \.rms),
      goal("F3 0.1 ms: p99 ms", "g0.1", must: 0.05, \.p99),
      goal("F4 3 ms: RMS ms", "g3.0", must: 0.32, stretch: 0.25, \.rms),
      goal("F4 3 ms: p99 ms", "g3.0", must: 1.0, \.p99),
      goal("F5 USB frames of 1 ms: RMS ms", "usb1ms", must: 0.02, stretch: 0.010, \.rms),
      goal("F6 clock behind notes: RMS ms", "dinbad", must: 0.035, stretch: 0.025, \.rms),
      goal("F7 heavy tail: RMS ms", "heavytail", must: 0.025, stretch: 0.018, \.rms),
      goal("F8 1 ms: tempo RMS BPM", "g1.0", must: 0.01, stretch: 0.004, \.tempo),
      goal("F9 1 ms: lock in quarter notes", "g1.0", must: 0.5, stretch: 0.25, \.lock),
    ]
  }

  private var moving: [Goal] {
    [
      goal("F10 120 to 128, 0.5 ms: peak ms", "step8_g0.5", must: 4.5, stretch: 2.5, \.peak),
      goal("F10 RMS ms over 8", "step8_g0.5", must: 0.45, stretch: 0.25, \.rms8),
      goal("F10 relock", "step8_g0.5", must: 0.3, stretch: 0.2, \.relock),
      goal("F11 120 to 128, 1 ms: peak ms", "step8_g1.0", must: 6, stretch: 4, \.peak),
      goal("F11 RMS ms over 8", "step8_g1.0", must: 0.75, stretch: 0.5, \.rms8),
      goal("F11 relock", "step8_g1.0", must: 1, stretch: 0.5, \.relock),
      goal("F12 ramp, 0.5 ms: RMS ms", "ramp_g0.5", must: 0.30, stretch: 0.20, \.ramp),
      goal("F12 relock", "ramp_g0.5", must: 1.5, stretch: 0.5, \.relock),
      goal("F13 wandering master: RMS ms", "walk_g0.5", must: 0.28, stretch: 0.18, \.rms),
      goal(
        "F16 published, step at 0.5 ms: RMS ms over 8", "step8_g0.5", must: 0.7, stretch: 0.5,
        published: true, \.rms8),
      goal(
        "F16 published, step at 1 ms: RMS ms over 8", "step8_g1.0", must: 1.1, stretch: 0.9,
        published: true, \.rms8),
      Goal(
        "F16 published, all traces: largest jump ms",
        figures.values.map { $0[1].jump }.max() ?? .nan, must: 1e-6),
      Goal(
        "F16 published, all traces: steps back",
        Double(figures.values.map { $0[1].backward }.reduce(0, +)), must: 0),
      Goal(
        "F18 freewheel of 1 s, 1 ms jitter: p95 ms", FreewheelFigures.p95(seeds: seeds),
        must: 0.25, stretch: 0.15),
    ]
  }

  private var faults: [Goal] {
    ["missing1pc", "doubled", "dropout", "burst"].flatMap { name in
      let many = TraceFigures(name, seeds: 1000..<1200) { Ours(published: false) }
      let theirs = TraceFigures(name, seeds: 1000..<1200) { ArdourLoop() }
      return [
        Goal(
          "F14 \(name): slips in 200 runs", Double(many.slips), must: 0,
          rival: "\(theirs.slips)"),
        Goal("F15 \(name): RMS ms", many.rms, must: 0.06, stretch: 0.05, rival: figure(theirs.rms)),
      ]
    }
  }

  private var timecode: [Goal] {
    let code = TraceFigures("mtc25_g1.0", seeds: seeds) { OurTimecode() }
    let slow = OurTimecode.recognized(jitter: 1, within: 2, seeds: seeds)
    let fast = OurTimecode.recognized(jitter: 0.3, within: 1, seeds: seeds)
    return [
      Goal("M2 25 fps, 1 ms jitter, published: RMS ms", code.rms, must: 0.10),
      Goal("M3 rates 0.1 % apart in 2 s, 1 ms: untold", 1 - slow, must: 0),
      Goal("M3 the same in 1 s, 0.3 ms: untold", 1 - fast, must: 0),
    ]
  }

  private var periods: [Goal] {
    get throws {
      guard let rate = SampleRate(hertz: 48000) else { return [] }
      let bounds: [(PeriodTrace.Source, String, Double, Double)] = [
        (.interrupt, "C1 interrupt stamps", 1, 0.2), (.wakeUp, "C2 wake-ups", 5, 0.5),
        (.usbFrame, "C3 frames of 1 ms", 25, 3),
      ]
      return bounds.flatMap { source, name, time, ppm in
        let ours = PeriodFigures(source, seeds: 0..<min(8, seeds.count)) { OurPeriods(rate) }
        let jack = PeriodFigures(source, seeds: 0..<min(8, seeds.count)) {
          JackLoop(period: PeriodTrace.nominal)
        }
        return [
          Goal("\(name): RMS µs", ours.time, must: time, rival: "JACK2 \(figure(jack.time))"),
          Goal("\(name): RMS ppm", ours.rate, must: ppm, rival: "JACK2 \(figure(jack.rate))"),
          Goal(
            "C4 \(source.rawValue): s to 100 µs", ours.usable, must: 0.1,
            rival: "JACK2 \(figure(jack.usable))"),
        ]
      }
    }
  }
}
