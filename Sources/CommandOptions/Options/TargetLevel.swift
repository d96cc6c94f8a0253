// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The level to which a sound is brought: a loudness (`-16LUFS`, `-16`) or a peak (`-1dB`).
package enum TargetLevel: Equatable {
  /// The highest peak, between the samples too, in dB of full scale, −60…0.
  case peak(Double)
  /// The integrated loudness of ITU-R BS.1770-4 in LUFS, −60…−5.
  case loudness(Double)

  /// Reads a level; a bare number is LUFS.
  package init(parsing text: String) throws {
    let lowered = text.lowercased()
    let hint = "not a loudness (-60…-5LUFS) or a peak (-60…0dB) (try -16LUFS or -1dB)"
    for (suffix, range, make) in [
      ("lufs", -60.0 ... -5, TargetLevel.loudness), ("db", -60.0...0, TargetLevel.peak),
      ("", -60.0 ... -5, TargetLevel.loudness),
    ] where lowered.hasSuffix(suffix) {
      guard let value = Double(lowered.dropLast(suffix.count)), range.contains(value) else { break }
      self = make(value)
      return
    }
    throw ValidationError("level '\(text)': \(hint)")
  }
}
