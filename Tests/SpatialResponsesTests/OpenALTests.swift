// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import Testing

/// A second reference for the scene: OpenAL Soft with the same responses.
@Suite struct OpenALTests {
  static let isThere = OpenALWitness() != nil && OpenALTable(path: OpenALWitness.table) != nil

  @Test(.enabled(if: isThere, "libopenal1 and libopenal-data are not installed (make setup-test)"))
  func `in 36 directions both ears get the same sound as from OpenAL Soft`() throws {
    let table = try #require(OpenALTable(path: OpenALWitness.table))
    let witness = try #require(OpenALWitness())
    // Samples before an onset are kept if there is room for them.
    let lead = 32
    let head = HeadResponses(rate: Rate.studio) { azimuth, elevation in
      table.ears(azimuth: azimuth, elevation: elevation, lead: lead)
    }
    for number in 0..<36 {
      // Rows with a direction every five degrees.
      let (azimuth, elevation) = (Double(number * 10), [0.0, 10, -20, 20, -10, 0][number % 6])
      let rig = try SceneRig(click: .headphones(head))
      try rig.set(.azimuth, to: Float(azimuth))
      try rig.set(.elevation, to: Float(elevation))
      let ours = rig.render(quanta: 8)
      let theirs = witness.ears(azimuth: azimuth, elevation: elevation)
      for ear in 0..<2 {
        let our = Array(ours[ear].dropFirst(lead + head.latency).prefix(256))
        let top = theirs[ear].peak
        #expect(top > 0.05)
        let error = zip(our, theirs[ear]).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-4 * top, "\(azimuth)°, \(elevation)°, ear \(ear)")
        #expect(Self.difference(our, theirs[ear]) < 0.01)
      }
    }
  }

  /// The largest difference between two spectra, in decibels, from 200 Hz to 18 000 Hz.
  private static func difference(_ left: [Float], _ right: [Float]) -> Double {
    stride(from: 200.0, through: 18_000, by: 200).map { hertz in
      abs(10 * log10(power(left, hertz) / power(right, hertz)))
    }.max() ?? .infinity
  }

  private static func power(_ samples: [Float], _ hertz: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(frame) / 48_000
      real += Double(sample) * cos(angle)
      imaginary += Double(sample) * sin(angle)
    }
    return real * real + imaginary * imaginary
  }
}
