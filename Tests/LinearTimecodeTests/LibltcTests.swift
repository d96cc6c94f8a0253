// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

private let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil

/// libltc reads our time code, and we read that of libltc.
@Suite(.enabled(if: LibltcWitness.isInstalled, "libltc-dev is not installed (make setup-test)"))
struct LibltcTests {
  /// A day of labels at each rate, or ten seconds.
  @Test(arguments: Tape.rates, [44_100, 48_000])
  func `libltc reads every label at its position`(rate: FrameRate, hertz: Int) throws {
    if isLong && hertz == 44_100 { return }
    let frames = isLong ? rate.framesPerDay : 10 * Int64(rate.nominal)
    let sampleRate = try #require(SampleRate(hertz: hertz))
    let first = try Timecode(
      label: TimecodeLabel(hours: 23, minutes: 59, seconds: 55, frames: 0), rate: rate)
    var encoder = try LTCEncoder(from: first, sampleRate: sampleRate)
    let places = encoder
    var left = Int(encoder.start(ofFrame: frames).frames) + encoder.closingSamples
    var read: Int64 = 0
    let next = { () -> [Float]? in
      guard left > 0 else { return nil }
      var piece: [Float] = []
      encoder.append(min(left, 48_000), to: &piece)
      left -= piece.count
      return piece
    }
    var (wrong, lateness): (Int, Set<Int64>) = (0, [])
    try LibltcWitness().read(samplesInFrame: Int(encoder.start(ofFrame: 1).frames), next) { line in
      let label = try first.advanced(byFrames: read).label(.wrap)
      let said = [label.hours, label.minutes, label.seconds, label.frames].map(Int.init)
      if Array(line[0..<5]) != said + [rate.isDrop ? 1 : 0] { wrong += 1 }
      // In the first frame it learns the length of bits.
      if read > 0 { lateness.insert(Int64(line[5]) - places.start(ofFrame: read).frames) }
      read += 1
    }
    #expect(wrong == 0)
    #expect(read == frames)
    // It detects an edge at half the level, and counts bits in whole samples: the positions in its
    // own sound are wrong by up to two samples.
    let (least, most) = try (#require(lateness.min()), #require(lateness.max()))
    #expect(least >= 0 && most <= 2 && most - least <= 1, "\(lateness)")
  }

  @Test(arguments: Tape.rates, [false, true])
  func `we read the time code of libltc`(rate: FrameRate, isReversed: Bool) throws {
    let label = TimecodeLabel(hours: 10, minutes: 1, seconds: 0, frames: 5)
    let first = try Timecode(label: label, rate: rate)
    let theirs = try LibltcWitness().write(
      label, rate: rate, sampleRate: .hertz48000, frames: 600, isReversed: isReversed)
    var decoder = LTCDecoder(sampleRate: .hertz48000)
    var readings: [LTCReading] = []
    decoder.read(theirs.sound.span, into: &readings)
    #expect(readings.count >= 598)
    for reading in readings {
      let place = reading.start.samples
      let frame = try #require(theirs.starts.lastIndex { Double($0) <= place + 1 })
      let told = try first.advanced(byFrames: Int64(isReversed ? -frame : frame)).label(.wrap)
      #expect(reading.frame.label == told)
      #expect(abs(place - Double(theirs.starts[frame])) <= 1)
      #expect(reading.isReversed == isReversed && reading.frame.isDrop == rate.isDrop)
    }
  }
}
