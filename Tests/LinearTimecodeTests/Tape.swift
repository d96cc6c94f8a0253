// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

/// Time code on a tape, which a test plays badly.
struct Tape {
  let rate: FrameRate
  let sampleRate: SampleRate
  let first: Timecode
  let frames: Int
  let isReversed: Bool
  var sound: [Float] = []
  /// The position on the tape of each sample.
  var places: [Double] = []
  private let starts: [SampleTime]

  init(
    _ rate: FrameRate, hertz: Int = 48_000, frames: Int = 60, isReversed: Bool = false,
    from label: TimecodeLabel = TimecodeLabel(hours: 1, minutes: 59, seconds: 59, frames: 3)
  ) throws {
    self.rate = rate
    self.frames = frames
    self.isReversed = isReversed
    sampleRate = try #require(SampleRate(hertz: hertz))
    first = try Timecode(label: label, rate: rate)
    var encoder = try LTCEncoder(from: first, sampleRate: sampleRate, isReversed: isReversed)
    starts = (0...Int64(frames)).map(encoder.start)
    encoder.append(Int(starts[frames].frames) + encoder.closingSamples, to: &sound)
    places = sound.indices.map(Double.init)
  }

  /// The label of a frame.
  func label(_ frame: Int) throws -> TimecodeLabel {
    try first.advanced(byFrames: Int64(isReversed ? -frame : frame)).label(.wrap)
  }

  /// Plays it at a speed that may change: `speed` is a function of the elapsed seconds.
  func played(at speed: (Double) -> Double) -> Tape {
    var played = self
    (played.sound, played.places) = ([], [])
    var place = 0.0
    while place < Double(sound.count - 1) {
      let (sample, part) = (Int(place), Float(place - place.rounded(.down)))
      played.sound.append(sound[sample] * (1 - part) + sound[sample + 1] * part)
      played.places.append(place)
      place += speed(Double(played.sound.count) / Double(sampleRate.hertz))
    }
    return played
  }

  /// Adds noise a number of decibels below the sound.
  func noisy(decibels: Double, seed: UInt64 = 1) -> Tape {
    var (noisy, random) = (self, SplitMix(seed: seed))
    let level = Float(pow(10, -decibels / 20)) / 8
    for place in sound.indices {
      let sum = (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &random)
      }
      noisy.sound[place] += level * sum
    }
    return noisy
  }

  /// Changes each sample.
  func changed(_ change: (Float) -> Float) -> Tape {
    var changed = self
    changed.sound = sound.map(change)
    return changed
  }

  /// The readings of a decoder.
  func read(rate: FrameRate? = nil) -> [LTCReading] {
    var decoder = LTCDecoder(sampleRate: sampleRate, rate: rate)
    var readings: [LTCReading] = []
    decoder.read(sound.span, into: &readings)
    return readings
  }

  /// Expects that no label is wrong, that each is within some samples of its position on the tape,
  /// and the number of missing frames in the readings; returns how many were read.
  @discardableResult
  func judge(_ readings: [LTCReading], within tolerance: Double = 1) throws -> Int {
    var last = -1
    for reading in readings {
      let sample = min(places.count - 1, max(0, Int(reading.start.nearest.frames)))
      let place = places[sample] + (reading.start.samples - Double(sample)) * speed(sample)
      let nearest = try #require(starts.indices.min { distance($0, place) < distance($1, place) })
      #expect(reading.frame.label == (try label(nearest)), "frame \(nearest)")
      #expect(distance(nearest, place) <= tolerance, "frame \(nearest)")
      #expect(reading.isReversed == isReversed && reading.frame.isDrop == rate.isDrop)
      if last >= 0 {
        let missing = nearest - last - 1
        #expect(reading.continuity == (missing == 0 ? .continues : .misses(missing)))
      }
      last = nearest
    }
    return readings.count
  }

  private func distance(_ frame: Int, _ place: Double) -> Double {
    abs(Double(starts[frame].frames) - place)
  }

  private func speed(_ sample: Int) -> Double {
    sample + 1 < places.count ? places[sample + 1] - places[sample] : 1
  }

  /// The rates of linear time code.
  static let rates: [FrameRate] = [.fps23976, .fps24, .fps25, .fps2997, .fps2997Drop, .fps30]
}
