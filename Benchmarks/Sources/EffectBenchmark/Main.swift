// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Foundation
import LV2Units
import MusicalTime

/// What effects cost and what they do to a sound.
///
///     EffectBenchmark speed [RUNS]
///     EffectBenchmark through EFFECT RATE < IN > OUT
///
/// `speed` prints a line of JSON for each figure, in per cent of a core at 48 000 Hz. `through` sends
/// sound through an effect by its text (`reverb mix=1`, `lv2:dragonfly-reverb`); both are interleaved
/// stereo of 32-bit floats, as long as each other.
@main
enum Main {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("speed", 1...2):
      let runs = arguments.count == 2 ? Int(arguments[1]) : nil
      for figure in try EffectSpeeds(runs: runs ?? 5).figures() { print(figure) }
    case ("through", 3):
      guard let hertz = Int(arguments[2]), let rate = SampleRate(hertz: hertz) else {
        throw Complaint(description: "no rate: \(arguments[2])")
      }
      let sound = FileHandle.standardInput.readDataToEndOfFile().withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      let catalogue = EffectCatalogue.standard.adding(.lv2 { try LV2World() })
      let unit = try catalogue.unit(arguments[1], rate: rate)
      let heard = try EffectRun(unit, rate: rate).through(sound)
      FileHandle.standardOutput.write(heard.withUnsafeBytes { Data($0) })
    default:
      print("usage: EffectBenchmark speed [RUNS] | through EFFECT RATE")
    }
  }
}

/// Why nothing was done.
struct Complaint: Error, CustomStringConvertible {
  let description: String
}
