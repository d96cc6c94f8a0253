// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import Downbeat
internal import Glibc
internal import MusicSequences

/// Plays songs through a synthesiser and a sound device.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play MIDI files through the synthesiser.",
    discussion: """
      Each file is played until its last note has rung out. `downbeat song.mid` is the same as \
      `downbeat play song.mid`.

      EXAMPLES:
        downbeat play song.mid
        downbeat play *.mid --soundfont FluidR3_GM.sf2 --gain 0.7
        downbeat play - --audio hw:1,0 --period 256 --periods 3 < song.mid
      """)

  @Argument(help: ArgumentHelp("The MIDI files; - reads standard input.", valueName: "file"))
  var paths: [String]

  @Option(name: [.short, .long], help: "The ALSA sound device.")
  var audio = "default"

  @Option(name: [.customShort("z"), .long], help: "Frames in a period of the device, 64…8192.")
  var period = 512

  @Option(name: [.customShort("c"), .long], help: "Periods in the device's buffer, 2…32.")
  var periods = 4

  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func validate() throws {
    guard (64...8192).contains(period) else {
      throw ValidationError("--period \(period): 64…8192 frames (try 512)")
    }
    guard (2...32).contains(periods) else {
      throw ValidationError("--periods \(periods): 2…32 (try 4)")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let settings = try sound.settings()
    var tally = Tally()
    for path in paths {
      do {
        let song = try reading.read(path)
        try play(song, settings, until: signals)
        tally.add(song.status)
      } catch let failure as any FailureDescribing where paths.count > 1 {
        Terminal.report("\(failure)")
        tally.add(failure.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
  }

  private func play(
    _ song: Song, _ settings: SessionSettings, until signals: SignalWatch
  ) throws {
    for sequence in song.file.sequences {
      let output = try ALSAOutputUnit(rate: settings.rate, wishes: wishes)
      let session = try Session(sequence, settings: settings, pads: sound.pads())
      reading.tell(session.missingPresets, of: song.name)
      signals.holdForCleanUp()
      let playback = try session.play(on: output)
      while !playback.hasFinished, playback.failure == nil, signals.signal == nil {
        usleep(5_000)
      }
      playback.stop(draining: signals.signal == nil)
      if let number = signals.signal { SignalWatch.die(by: number) }
      if let failure = playback.failure { throw failure }
    }
  }

  private var wishes: ALSAOutputUnit.Wishes {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = audio
    wishes.periodFrames = period
    wishes.periodCount = periods
    return wishes
  }
}
