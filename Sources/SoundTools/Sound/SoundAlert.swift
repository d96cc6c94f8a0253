// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClipPlayback
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// The command `downbeat sound alert`, which plays one short sound.
struct SoundAlert: ReportingCommand, SoundingCommand {
  static let configuration = CommandConfiguration(
    commandName: "alert", abstract: "Play an alert sound.",
    discussion: """
      EXAMPLES:
        downbeat sound alert              play the chime
        downbeat sound alert knock --bell
        downbeat sound alert doorbell.wav --flash

      Without a sound device, only --bell and --flash work.
      """)

  @Argument(help: "Alert: chime, ping, knock, pulse, or a sound file of up to 30 s.")
  var sound = AlertSound.chime.rawValue

  @Flag(help: "Ring the terminal bell in addition to the sound.")
  var bell = false

  @Flag(help: "Flash the terminal in addition to the sound.")
  var flash = false

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Gain: decibels (-6dB, -6) or a factor (50%).",
    transform: { try Gain(typed: $0, for: "--gain ") })
  var gain = Gain(factor: 1)

  @OptionGroup var device: DeviceOptions
  @OptionGroup var report: JSONOption

  func askServers() { device.output.askForTurns(at: device.sampleRate.rate) }

  func run() throws {
    let signals = SignalWatch()
    var clip = try clip(device.sampleRate.rate)
    let (rings, flashes) = (bell, flash)
    let output: OutputDevice
    do {
      output = try device.open(without: advice)
    } catch {
      return try fallBack(after: error)
    }
    if output.rate != device.sampleRate.rate { clip = try self.clip(output.rate) }
    let mix = SoundMix(output.unit, alert: { Self.signal(rings, flashes) })
    mix.device = DeviceWatch(output)
    try JSONReport.begin([("device", .text(output.name))])
    mix.tell(clip.shortfall, of: sound)
    try mix.addAlert(clip, gain: gain.factor)
    try mix.play(until: signals)
    if mix.cutOffCount > 0 { throw ExitStatus.partial }
  }

  private func clip(_ rate: SampleRate) throws -> SystemSound {
    try AlertSound(rawValue: sound)?.sound(rate: rate) ?? SystemSound(path: sound, rate: rate)
  }

  /// The advice if the sound device is missing.
  private var advice: String {
    guard bell || flash else { return "--bell and --flash work without one" }
    return Terminal.isInteractive
      ? "using the terminal instead" : "and no terminal for --bell and --flash"
  }

  /// Uses the bell and the flash instead of the sound, and reports the reason.
  private func fallBack(after error: any Error) throws {
    guard bell || flash, Terminal.isInteractive else { throw error }
    Terminal.report("\(error)")
    Self.signal(bell, flash)
  }

  /// Rings the bell, and reverses the colours of the terminal for 0.1 s.
  ///
  /// Does nothing without a terminal.
  private static func signal(_ rings: Bool, _ flashes: Bool) {
    guard Terminal.isInteractive else { return }
    if rings { Terminal.draw("\u{7}") }
    if flashes {
      Terminal.draw("\u{1B}[?5h")
      DeadlineWait.sleep(until: DeadlineWait.now + 100_000_000)
      Terminal.draw("\u{1B}[?5l")
    }
  }
}
