// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import MusicalTime

/// The sound device, and how it is fed.
struct OutputDeviceOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The ALSA sound device.")
  var audio = "default"

  @Option(name: [.customShort("z"), .long], help: "Frames in a period of the device, 64…8192.")
  var period = 512

  @Option(name: [.customShort("c"), .long], help: "Periods in the device's buffer, 2…32.")
  var periods = 4

  func validate() throws {
    guard (64...8192).contains(period) else {
      throw ValidationError("--period \(period): 64…8192 frames (try 512)")
    }
    guard (2...32).contains(periods) else {
      throw ValidationError("--periods \(periods): 2…32 (try 4)")
    }
  }

  /// Opens the device.
  func open(rate: SampleRate) throws -> ALSAOutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = audio
    wishes.periodFrames = period
    wishes.periodCount = periods
    return try ALSAOutputUnit(rate: rate, wishes: wishes)
  }

  /// The same device in the words of a command line.
  var words: [String] { ["--audio=\(audio)", "--period=\(period)", "--periods=\(periods)"] }
}
