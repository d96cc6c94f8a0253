// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import MusicalTime

/// The sound device, and how it is fed.
struct OutputDeviceOptions: ParsableArguments {
  /// The device that is taken where none is named: ALSA's own choice.
  static let standard = "default"

  @Option(name: [.short, .long], help: "The ALSA sound device.", completion: .devices)
  var audio = Self.standard

  @Option(
    name: [.customShort("z"), .long], parsing: .unconditional,
    help: "Frames in a period of the device, 16…8192; without it 512, or 128 for synth.")
  var period: Int?

  @Option(
    name: [.customShort("c"), .long], parsing: .unconditional,
    help: "Periods in the device's buffer, 2…32; without it 4, or 3 for synth.")
  var periods: Int?

  func validate() throws {
    if let period, !(16...8192).contains(period) {
      throw ValidationError("--period \(period): 16…8192 frames (try 512)")
    }
    if let periods, !(2...32).contains(periods) {
      throw ValidationError("--periods \(periods): 2…32 (try 4)")
    }
  }

  /// Opens the device; one that goes away is waited for.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - isLive: whether someone plays, and waits for the sound.
  /// - Returns: the device, which does not sound yet.
  /// - Throws: `DeviceError`.
  func open(rate: SampleRate, isLive: Bool = false) throws -> ALSAOutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = audio
    wishes.periodFrames = period ?? (isLive ? 128 : 512)
    wishes.periodCount = periods ?? (isLive ? 3 : 4)
    wishes.patience = 30
    return try ALSAOutputUnit(rate: rate, wishes: wishes)
  }

  /// The same device in the words of a command line.
  var words: [String] {
    ["--audio=\(audio)"] + (period.map { ["--period=\($0)"] } ?? [])
      + (periods.map { ["--periods=\($0)"] } ?? [])
  }
}
