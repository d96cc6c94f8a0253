// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import AudioProcessing
internal import MusicalTime

/// The flags of the commands that play sounds: the device.
struct DeviceOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The ALSA sound device.")
  var audio = "default"

  @Option(help: "Frames a second of the device, 8000…192000.")
  var sampleRate = 48_000

  @Option(name: [.customShort("z"), .long], help: "Frames in a period of the device, 64…8192.")
  var period = 512

  @Option(name: [.customShort("c"), .long], help: "Periods in the device's buffer, 2…32.")
  var periods = 4

  func validate() throws {
    guard (8000...192_000).contains(sampleRate) else {
      throw ValidationError("--sample-rate \(sampleRate): 8000…192000 Hz (try 48000)")
    }
    guard (64...8192).contains(period) else {
      throw ValidationError("--period \(period): 64…8192 frames (try 512)")
    }
    guard (2...32).contains(periods) else {
      throw ValidationError("--periods \(periods): 2…32 (try 4)")
    }
  }

  /// Opens the device.
  func open() throws -> ALSAOutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = audio
    wishes.periodFrames = period
    wishes.periodCount = periods
    do {
      return try ALSAOutputUnit(rate: rate(), wishes: wishes)
    } catch DeviceError.noSoundDevice {
      throw Failure(
        .noDevice,
        "no sound device on this machine (--audio file:FILE=heard.wav,FORMAT=wav plays to a file)")
    }
  }

  /// An output that nobody hears, where another process plays.
  func none() throws -> NullOutputUnit {
    NullOutputUnit(format: AudioFormat(rate: try rate()), periodFrames: 1024)
  }

  /// The rate of the device.
  func rate() throws -> SampleRate {
    guard let rate = SampleRate(hertz: sampleRate) else { throw ExitStatus.usage }
    return rate
  }

  /// The same device in the words of a command line.
  var words: [String] {
    [
      "--audio=\(audio)", "--sample-rate=\(sampleRate)", "--period=\(period)",
      "--periods=\(periods)",
    ]
  }
}
