// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MusicalTime

/// The value of an option for a sample rate: `48000`, `44.1k`, `48kHz`.
package struct RateChoice: ExpressibleByArgument {
  package let rate: SampleRate
  /// True if the user chose the rate; a device that does not support it is then refused.
  package let isChosen: Bool

  /// The default: 48 kHz.
  package static let standard = RateChoice(rate: .hertz48000)

  private init(rate: SampleRate, isChosen: Bool = false) {
    (self.rate, self.isChosen) = (rate, isChosen)
  }

  /// A rate that must be used.
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

  /// The rate in Hz, for help texts.
  package var defaultValueDescription: String { "\(rate.hertz)" }

  /// Checks that the rate is in a range.
  ///
  /// - Parameters:
  ///   - flag: The option, for the error.
  ///   - range: The range in Hz.
  /// - Throws: `ValidationError` with the range.
  package func check(_ flag: String, in range: ClosedRange<Int>) throws {
    guard range.contains(Int(rate.hertz)) else {
      throw ValidationError(
        "\(flag) \(rate.hertz): must be \(range.lowerBound)…\(range.upperBound) Hz (try 48000)")
    }
  }
}
