// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import Downbeat
internal import Glibc
internal import MusicSequences

/// Renders a song to a sound file, faster than real time.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render a MIDI file to a sound file, faster than real time.",
    discussion: """
      The suffix of OUT names the kind of file (downbeat sound formats lists them). The file \
      appears whole, when it is finished, or not at all. What would exceed full scale is turned \
      down by a limiter, but for files of bits float and double. Without --gain every song comes \
      out at about −16 LUFS, give or take 3; where more than 6 dB are turned down for it, that \
      is told.

      Title, markers and cue points go along, and the loop that the song asks for, where the kind \
      of file holds them: a WAV file's cues and smpl, in FLAC, Ogg and Opus LOOPSTART and LOOPLENGTH.

      --tail says what becomes of the sound after the last event: auto lets it ring out, exact \
      ends where the longest track does, none at the last event; a number, so many seconds later.

      With --stems, OUT is a folder: it gets one file for each channel or track, dry, and one \
      with the reverb and chorus of all. They add up to the mix before the limiter.

      EXAMPLES:
        downbeat render song.mid -o song.wav
        downbeat render song.mid -o song.flac --bits 24 --soundfont FluidR3_GM.sf2
        downbeat render song.mid -o song.ogg --normalize -16LUFS
        downbeat render song.mid -o stems --stems track --bits float
        downbeat render - -o - --gain -6dB < song.mid > song.wav
      """)

  @Argument(help: ArgumentHelp("The MIDI file; - reads standard input.", valueName: "file"))
  var path: String

  @Option(name: [.short, .long], help: "The sound file to write; - is standard output.")
  var output: String

  @Option(
    parsing: .unconditional,
    help: "How much of the song to render, in any format: 30s, 8|1, 00:01:00:00@25.",
    transform: SongTime.init(parsing:))
  var length: SongTime?

  @Option(
    parsing: .unconditional,
    help: "What follows the last event: auto, exact, none, or seconds.",
    transform: RenderTail.init(parsing:))
  var tail = RenderTail.auto

  @Option(
    parsing: .unconditional,
    help: "Bring the song to a peak (-1dB) or a loudness (-16LUFS); renders it twice.",
    transform: TargetLevel.init(parsing:))
  var normalize: TargetLevel?

  @Option(
    help: ArgumentHelp("Write one file for each channel or track.", valueName: "channel|track"),
    transform: Self.stems(named:))
  var stems: StemChoice?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Threads that do the work; without it one a processor.")
  var threads: Int?

  @OptionGroup var file: SoundFileOptions
  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads \(threads): 1…256")
    }
    if stems != nil, normalize != nil {
      throw ValidationError("--normalize: stems keep the levels they have in the mix")
    }
    if stems != nil, output == "-" {
      throw ValidationError("--stems: name a folder with -o")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let format = try stems == nil ? file.format(for: output) : file.stemFormat()
    let song = try reading.read(path)
    let settings = try sound.settings(sound.settings(), for: song.file.sequences)
    try file.check(output)
    try refuseInput()
    // A file that grows past a limit, or a pipe that closes, is an error to report, not a signal
    // to die of.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let job = RenderJob(
      song: song, settings: settings, format: format, output: output, options: self,
      signals: signals)
    let isDone =
      if let stems { try job.writeStems(by: stems) } else { try job.writeMix() }
    if isDone {
      if song.status != .success { throw song.status }
    } else if let number = signals.signal {
      SignalWatch.die(by: number)
    }
  }

  /// The song is not to be lost to its sound.
  private func refuseInput() throws {
    var (song, sound) = (stat(), stat())
    guard unsafe stat(path, &song) == 0, unsafe stat(output, &sound) == 0 else { return }
    guard (song.st_dev, song.st_ino) != (sound.st_dev, sound.st_ino) else {
      throw Failure(.noOutput, "\(output): is the song itself (name another file with -o)")
    }
  }

  private static func stems(named text: String) throws -> StemChoice {
    guard let choice = StemChoice(rawValue: text) else {
      throw ValidationError("--stems \(text): channel or track")
    }
    return choice
  }
}

extension SoundFileOptions {
  /// The kind of file that stems are.
  fileprivate func stemFormat() throws -> SoundFileFormat {
    try SoundFileFormat(format ?? .wav, bits)
  }
}
