// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SongPictures

@Suite struct SoundSurveyTests {
  private static let rate = 8000.0

  /// A sine of half of full scale, left and right.
  private func survey(_ hertz: Double, seconds: Double, columns: Int) -> SoundSurvey {
    let count = Int(Self.rate * seconds)
    var survey = SoundSurvey(
      frameCount: count, hertz: Self.rate, channelCount: 2, columnCount: columns)
    let samples = (0..<count).flatMap { frame in
      [Float](
        repeating: Float(0.5 * sin(2 * Double.pi * hertz * Double(frame) / Self.rate)), count: 2)
    }
    survey.hear(samples.span)
    survey.finish()
    return survey
  }

  /// The frequencies at which a band begins and ends.
  private func range(of band: Int) -> ClosedRange<Double> {
    let ratio = SoundSurvey.highest / SoundSurvey.lowest
    func edge(_ band: Int) -> Double {
      SoundSurvey.lowest * pow(ratio, Double(band) / Double(SoundSurvey.bandCount))
    }
    return edge(band)...edge(band + 1)
  }

  @Test(arguments: [250.0, 1000, 3000])
  func `a sine is strongest in its own band, in every column`(hertz: Double) throws {
    let survey = survey(hertz, seconds: 2, columns: 20)
    for column in stride(from: 2, to: 18, by: 2) {
      let levels = (0..<SoundSurvey.bandCount).map { survey.level(column: column, band: $0) ?? -1 }
      let own = try #require(levels.indices.first { range(of: $0).contains(hertz) })
      #expect(levels[own] == levels.max())
      #expect(levels.count { $0 >= 0 } < 32)
    }
  }

  @Test func `columns have the extremes and the mean of what is in them`() {
    let survey = survey(100, seconds: 1, columns: 10)
    #expect(survey.columns.count == 10)
    for column in survey.columns {
      #expect(abs(column.highest - 0.5) < 0.01)
      #expect(abs(column.lowest + 0.5) < 0.01)
      #expect(abs(column.rms - 0.5 / 2.0.squareRoot()) < 0.005)
    }
    #expect(abs(survey.peak - 0.5) < 0.01)
  }

  @Test func `a gain makes all of it louder`() {
    var survey = survey(100, seconds: 1, columns: 10)
    survey.take(momentary: -20, shortTerm: -.infinity, atSeconds: 0.5)
    survey.integrated = -21
    survey.scale(by: 2)
    #expect(abs(survey.peak - 1) < 0.01)
    #expect(abs((survey.integrated ?? 0) + 15) < 0.03)
    #expect(abs(survey.loudness[0].momentary + 14) < 0.03)
    #expect(survey.loudness[0].shortTerm < -100)
  }

  @Test(arguments: [0, 1, 3, 100])
  func `a sound of a few samples is drawn too`(count: Int) {
    var survey = SoundSurvey(frameCount: count, hertz: 48000, channelCount: 2, columnCount: 50)
    let samples = [Float](repeating: .nan, count: count * 2) + [1]
    survey.hear(samples.span)
    survey.finish()
    #expect((1...50).contains(survey.columns.count))
    #expect(survey.peak == 0)
  }

  @Test func `more loudness than there are columns is not kept`() {
    var survey = SoundSurvey(frameCount: 48000, hertz: 48000, channelCount: 2, columnCount: 10)
    for report in 0..<10000 {
      survey.take(momentary: -20, shortTerm: -20, atSeconds: Double(report) / 10000)
    }
    #expect(survey.loudness.count <= 20)
  }
}
