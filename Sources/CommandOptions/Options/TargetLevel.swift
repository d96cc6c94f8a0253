// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The target level of a sound: a loudness (`-16LUFS`, `-16`) or a peak (`-1dB`).
package enum TargetLevel: Equatable {
  /// The highest peak in dBFS, also between samples, −60…0.
  case peak(Double)
  /// The integrated loudness in LUFS (ITU-R BS.1770-4), −60…−5.
  case loudness(Double)

  /// Reads a level; a number without a unit is in LUFS.
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
