// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension SavedGraph {
  /// The memory limit for delay lines and channels of one document: 256 MiB, or 11 minutes of
  /// stereo at 48 kHz.
  package static let mostBytes = 256 << 20

  /// The estimated memory of the units in bytes, at most `Int.max`.
  ///
  /// Units of unknown kinds count as two channels.
  package func claimedBytes(rate: SampleRate) -> Int {
    let bytes = units.reduce(0.0) { $0 + $1.setup.claimedBytes(hertz: Double(rate.hertz)) }
    return Int(exactly: bytes.rounded()) ?? .max
  }

  /// Throws if the units need more memory than the limit.
  package static func check(_ claimed: Int, path: String) throws(GraphError) {
    guard claimed <= mostBytes else {
      throw .badDocument(
        path: path,
        reason:
          "the units need more than \(mostBytes >> 20) MiB (use fewer channels, or shorter times)"
      )
    }
  }
}

extension UnitSetup {
  /// An estimate.
  ///
  /// Values that are out of range count in full, because they are refused later.
  fileprivate func claimedBytes(hertz: Double) -> Double {
    let channels = number("channels", usual: 2)
    // A strip or source uses about 2.5 KiB, and a delay line 4 bytes for each frame.
    let strip = 1024.0
    let frames: Double =
      switch kind {
      case "delay": channels * number("longest", usual: 2) * hertz
      case "chorus": channels * 0.1 * hertz
      case "reverb": 3.2 * hertz
      case "input": 4 * channels * number("heldFrames", usual: 2048)
      case "scene":
        number("sources", usual: 1) * (number("longestDelay", usual: 0.3) * hertz + strip)
      case "spatial mixer": number("sources", usual: 1) * strip
      case "mixer": Double(count("strips", usual: 2)) * strip
      case "splitter": (number("outputs", usual: 2) + 1) * channels * 64
      default: channels * 4096
      }
    return 4 * max(0, frames)
  }

  private func number(_ name: String, usual: Double) -> Double {
    switch values[name] {
    case .count(let count): Double(count)
    case .number(let number): number
    default: usual
    }
  }

  private func count(_ name: String, usual: Int) -> Int {
    guard case .counts(let list) = values[name] else { return usual }
    return list.count
  }
}
