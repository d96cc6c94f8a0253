// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioFiles
package import CommandKit
package import CommandOptions
internal import Downbeat
internal import Glibc
internal import SoundFontInstruments

/// Renders a song to a sound file, faster than real time.
package struct Render: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Render a MIDI file to a sound file, faster than real time.",
    discussion: """
      The suffix of OUT names the kind of file (downbeat sound formats lists them). The file \
      appears whole, when it is finished, or not at all. Several songs, folders of them and \
      playlists give one file each in the folder --output-dir, or OUT, and in folders in it as the \
      songs lie in theirs: several at once, one a processor, each the same as if it were rendered \
      alone. What cannot be rendered is told and left out.

      Title, markers, cue points and the loop that the song asks for go along where the kind of \
      file holds them: as cues and smpl in WAV; the loop as LOOPSTART and LOOPLENGTH in FLAC, Ogg \
      and Opus.

      The sound is measured and brought to −16 LUFS, or up to 4 dB less where single peaks stand \
      far above the rest; --gain is relative to that. A limiter turns down what would rise above \
      −1 dB of full scale, between the samples too, except with --bits float and double; where \
      that is more than 6 dB, a message says so.

      A song ends when its last note is released; the patterns of format 2 follow one another. \
      --tail sets how long the sound goes on after that, or after --length: auto until it is below \
      −70 dB, none not at all, a number that many seconds; exact ends the file where the longest \
      track ends. With --length and without --tail the file is exactly that long. An endless loop \
      that only the file asks for (--in-file-loops) is played once.

      With --stems, OUT is a folder: it gets one file for each channel or track, dry, and one with \
      the reverb and chorus of all. What --instrument or --on gives an instrument of its own is one \
      file, behind its effects and before what it is sent to; each --bus is one, with what it makes of \
      what is sent to it. They add up to the mix before the limiter. Each goes through --effect by \
      itself, which adds up for a reverb and not for a compressor. The folder appears whole or not at \
      all; --overwrite replaces one that holds nothing but stems.

      EXAMPLES:
        downbeat render song.mid -o song.wav
        downbeat render song.mid -o song.flac --bits 24 --soundfont FluidR3_GM.sf2
        downbeat render song.mid -o part.wav --from @chorus --to 2:30 --mute 10
        downbeat render Album party.m3u --output-dir sounds --format flac
        downbeat render song.mid -o song.ogg --normalize -1dB
        downbeat render song.mid -o song.wav --ltc code.wav --fps 25
        downbeat render song.mid -o stems --stems track --bits float
        downbeat render song.mid -o stems --stems track --on 2=lv2:mda-epiano
        downbeat render - -o - --gain -6dB < song.mid > song.wav
      """)

  @Argument(
    help: ArgumentHelp(
      "The MIDI files, folders of them and playlists; - reads standard input.", valueName: "file"),
    completion: .songLists)
  package var paths: [String]

  @Option(
    name: [.short, .long],
    help: "The sound file to write, or the folder for several; - is standard output.")
  package var output: String?

  @Option(
    help: ArgumentHelp(
      "The folder for a file of each song; it is made where it is not there.",
      valueName: "folder"), completion: .directory)
  var outputDir: String?

  @OptionGroup(title: "What is rendered") package var flags: PlaybackFlags

  @Option(
    parsing: .unconditional,
    help: "How much of the sound to render, in any format: 30s, 8|1, 00:01:00:00@25.",
    transform: SongTime.init(parsing:))
  package var length: SongTime?

  @Option(
    parsing: .unconditional,
    help: "What follows the song: auto (without it), exact, none, or seconds.",
    transform: RenderTail.init(parsing:))
  var tail: RenderTail?

  @Option(
    parsing: .unconditional,
    help: "Bring the song to a peak (-1dB) or another loudness (-23LUFS).",
    transform: TargetLevel.init(parsing:))
  package var normalize: TargetLevel?

  @Option(parsing: .unconditional, help: "Channels of the file: 2, or 1 for their mean.")
  var channels = 2

  @Option(
    help: ArgumentHelp("Write one file for each channel or track.", valueName: "channel|track"),
    transform: Self.stems(named:))
  var stems: StemChoice?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Threads that do the work; without it one a processor.")
  var threads: Int?

  @OptionGroup(title: "Timecode beside it") var timecode: TimecodeFile
  @OptionGroup package var file: SoundFileOptions
  @OptionGroup var codec: CodecOptions
  @OptionGroup package var sound: SoundOptions
  @OptionGroup package var reading: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }

  package func validate() throws {
    try report.check(output)
    try timecode.check(self)
    guard (output == nil) != (outputDir == nil) else {
      throw ValidationError(
        "name the sound file with -o, or a folder for several with --output-dir")
    }
    guard flags.master == nil else {
      let flag = flags.link == nil ? "--sync" : "--link"
      throw ValidationError("\(flag): a rendering waits for nobody; it runs offline")
    }
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads \(threads): 1…256")
    }
    guard (1...2).contains(channels) else {
      throw ValidationError("--channels \(channels): 1 or 2")
    }
    if stems != nil, normalize != nil {
      throw ValidationError("--normalize: stems keep the levels they have in the mix")
    }
    if normalize != nil, sound.gain != nil || sound.absoluteGain != nil {
      throw ValidationError("--normalize sets how loud the file is: leave the gain out")
    }
    if stems != nil, output == "-" {
      throw ValidationError("--stems: name a folder with -o")
    }
  }

  package func run() throws {
    // Before anything is opened: it would have the number of the output that is not there.
    guard output != "-" || fcntl(Console.current.outputDescriptor, F_GETFD) >= 0 else {
      throw Failure(.ioError, "standard output: is closed")
    }
    let signals = SignalWatch()
    // A file that grows past a limit, or a pipe that closes, is an error to report, not a signal
    // to die of.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    var settings = try sound.settings()
    settings.interpolation = codec.isBest ? .sinc : .cubic
    let (songs, tally) = try SongCollector(paths).told()
    guard songs.count == 1 || output != "-" else {
      throw Failure(
        .usage, "several songs do not go to standard output: name a folder with --output-dir")
    }
    let outputs = try BatchOutputs(
      BatchOutputs.Wish(
        output: output, outputDir: outputDir,
        suffix: stems == nil ? ".\((file.format ?? .wav).suffixes[0])" : "",
        isFolder: stems != nil), songs, of: .songs)
    defer { outputs.cleanUp() }
    guard songs.count == 1 || timecode.ltc == nil else {
      throw Failure(.usage, "--ltc: it is written beside one song, and there are \(songs.count)")
    }
    let files = FileBatch(
      kind: .songs, verb: "rendered", entries: songs, outputs: outputs, signals: signals,
      threadCount: threads, isQuiet: reading.quiet)
    let status = try RenderBatch(options: self, settings: settings, files: files).run(tally)
    if let number = signals.signal {
      outputs.cleanUp()
      SignalWatch.die(by: number)
    }
    if status != .success { throw status }
  }

  private static func stems(named text: String) throws -> StemChoice {
    guard let choice = StemChoice(rawValue: text) else {
      throw ValidationError("--stems \(text): channel or track")
    }
    return choice
  }
}
