// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import MusicalTime
internal import PlayerControl

extension RenderJob {
  /// Returns the report on a finished file: its length, loudness and limiter reduction.
  func done(_ frameCount: Int64, limitedTo lowestGain: Float = 1) -> FileBatch.Done {
    let seconds = Double(frameCount) / Double(settings.rate.hertz)
    var facts = [seconds.lengthText]
    if let loudness = outputMeter?.integrated {
      facts.append("\(loudness.decimal(1)) LUFS")
    }
    if let limited = limited(to: lowestGain) { facts.append(limited) }
    return FileBatch.Done(
      status: song.status, seconds: seconds, facts: facts.joined(separator: ", "))
  }

  /// Returns a text on the limiter if it reduced peaks by 1 dB or more, or by any amount if the
  /// user set the level; nil otherwise.
  private func limited(to lowestGain: Float) -> String? {
    let reduction = -20 * log10(Double(lowestGain))
    let isChosen =
      options.sound.gain != nil || options.sound.absoluteGain != nil || options.normalize != nil
    guard reduction >= 1 || (isChosen && reduction > 0) else { return nil }
    let text =
      "the limiter reduced peaks by up to \(((reduction * 10).rounded(.up) / 10).decimal(1)) dB"
    // The automatic level allows for 6 dB, which are not audible.
    return isChosen || reduction > 6 ? "\(text) (try \(level.remedy(for: lowestGain)))" : text
  }
}
