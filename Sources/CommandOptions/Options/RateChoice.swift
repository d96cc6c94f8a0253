// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MusicalTime

/// A sample rate as every flag takes it: `48000`, `44.1k`, `48kHz`.
package struct RateChoice: ExpressibleByArgument {
  package let rate: SampleRate
  /// Whether somebody chose it; a device that has only another is refused then.
  package let isChosen: Bool

  /// 48 kHz, where nobody chose.
  package static let standard = RateChoice(rate: .hertz48000)

  private init(rate: SampleRate, isChosen: Bool = false) {
    (self.rate, self.isChosen) = (rate, isChosen)
  }

  /// A rate that nothing else will do for.
  package static func only(_ rate: SampleRate) -> RateChoice {
    RateChoice(rate: rate, isChosen: true)
  }

  package init?(argument: String) {
    do {
      rate = try SampleRate(parsing: argument)
      isChosen = true
    } catch {
      return nil
    }
  }

  /// The rate in Hz.
  package var defaultValueDescription: String { "\(rate.hertz)" }

  /// Looks whether a flag's rate lies within a range.
  ///
  /// - Throws: `ValidationError` with the range.
  package func check(_ flag: String, in range: ClosedRange<Int>) throws {
    guard range.contains(Int(rate.hertz)) else {
      throw ValidationError(
        "\(flag) \(rate.hertz): must be \(range.lowerBound)…\(range.upperBound) Hz (try 48000)")
    }
  }
}
