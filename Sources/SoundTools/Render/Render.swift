// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioFiles
package import CommandKit
package import CommandOptions
internal import Downbeat
internal import Glibc
internal import SoundFontInstruments

/// The command `downbeat render`, which renders songs to sound files, faster than real time.
package struct Render: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a MIDI file to a sound file, faster than real time.",
    discussion: """
      The suffix of OUT selects the file format (downbeat sound formats lists them). The file is \
      written completely or not at all. From several songs, folders or playlists, each song \
      becomes a file in the folder --output-dir or OUT; subfolders are kept. Several songs are \
      rendered in parallel, one per processor, with the same result as one after another. Songs \
      that cannot be rendered are reported and skipped.

      Title, markers, cue points and the loop in the song are copied if the format supports them: \
      in WAV as the chunks `cue` and `smpl`; in FLAC, Ogg and Opus, the loop as the tags LOOPSTART \
      and LOOPLENGTH.

      The loudness is measured and set to −16 LUFS, or up to 4 dB less if single peaks are far \
      above the rest; --gain is relative to this level. A limiter keeps true peaks below −1 dBFS, \
      except with --bits float and double. The line about a finished file shows its length, its \
      loudness and the limiter's reduction.

      A song ends when its last note is released, or at --to; the patterns of format 2 play one \
      after another. --tail sets how long the sound continues after the end of the song or after \
      --length. auto: until the sound is below −70 dB; none: not at all; a number: that many \
      seconds; exact: until the end of the longest track. With --length and without --tail, the \
      file has exactly that length, or ends earlier with the song. An endless loop from the file \
      (--in-file-loops) plays once.

      With --stems, OUT is a folder with one dry file per channel or track, and one file with the \
      reverb and chorus of all. For each instrument of --instrument or --on, a file contains its \
      sound after its effects, before its sends. For each --bus, a file contains the output of its \
      effect. The sum of these files is the mix before the limiter. --effect is applied to each \
      file separately, so the files add up to the same mix with a reverb, but not with a \
      compressor. The folder is written completely or not at all; --overwrite replaces a folder \
      that contains only stems.

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
      "MIDI files, folders and playlists; - reads standard input.", valueName: "file"),
    completion: .songLists)
  package var paths: [String]

  @Option(
    name: [.short, .long],
    help: "Sound file to write, or folder for several songs; - is standard output.")
  package var output: String?

  @Option(
    help: ArgumentHelp(
      "Folder for one file per song; created if it does not exist.",
      valueName: "folder"), completion: .directory)
  var outputDir: String?

  @OptionGroup(title: "Playback") package var flags: PlaybackFlags

  @Option(
    name: [.long, .customLong("for")], parsing: .unconditional,
    help: "Length to render, in any format: 30s, 8|1, 00:01:00:00@25.",
    transform: SongTime.init(parsing:))
  package var length: SongTime?

  @Option(
    parsing: .unconditional,
    help: "Tail after the song: auto (default), exact, none, or 0…3600 seconds.",
    transform: RenderTail.init(parsing:))
  var tail: RenderTail?

  @Option(
    parsing: .unconditional,
    help: "Normalize to a peak (-1dB) or a loudness (-23LUFS).",
    transform: TargetLevel.init(parsing:))
  package var normalize: TargetLevel?

  @Option(
    parsing: .unconditional,
    help: "Channels of the file: 2, or 1 (the mean of left and right).")
  var channels = 2

  @Option(
    help: ArgumentHelp("Write one file per channel or track.", valueName: "channel|track"),
    transform: Self.stems(named:))
  var stems: StemChoice?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Number of threads, 1…256. Default: one per processor.")
  var threads: Int?

  @OptionGroup(title: "Time code file") var timecode: TimecodeFile
  @OptionGroup package var file: SoundFileOptions
  @OptionGroup var codec: CodecOptions
  @OptionGroup package var sound: SoundOptions
  @OptionGroup package var reading: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }

  package func validate() throws {
    try report.check(output)
    try timecode.check(self)
    try FontWord.refuse(in: paths)
    try BatchOutputs.check(output, folder: outputDir, inputs: paths, of: .songs)
    guard flags.master == nil else {
      let flag = flags.link == nil ? "--sync" : "--link"
      throw ValidationError("\(flag): rendering runs offline and cannot follow a clock")
    }
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads \(threads): not in 1…256")
    }
    guard (1...2).contains(channels) else {
      throw ValidationError("--channels \(channels): not 1 or 2")
    }
    if stems != nil, normalize != nil {
      throw ValidationError(
        "--normalize: cannot be used with --stems, because stems keep their levels")
    }
    if normalize != nil, sound.gain != nil || sound.absoluteGain != nil {
      throw ValidationError("--normalize: cannot be used with --gain or --absolute-gain")
    }
    if stems != nil, output == "-" {
      throw ValidationError("--stems: cannot be written to standard output (add -o FOLDER)")
    }
    if stems != nil, let output { try BatchOutputs.check(stemFolder: output, format: file.format) }
  }

  package func run() throws {
    // This is checked before any file is opened, because a file could get the number of the closed
    // output.
    guard output != "-" || fcntl(Console.current.outputDescriptor, F_GETFD) >= 0 else {
      throw Failure(.ioError, "standard output: is closed")
    }
    let signals = SignalWatch()
    // The signals for a file that exceeds the size limit and for a closed pipe are ignored, so that
    // the write error is reported.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    var settings = try sound.settings(allowingNoFont: true)
    settings.interpolation = codec.isBest ? .sinc : .cubic
    let (songs, tally) = try SongCollector(paths).told()
    guard songs.count == 1 || output != "-" else {
      throw Failure(
        .usage, "standard output: can receive only one song (use --output-dir FOLDER)")
    }
    let outputs = try BatchOutputs(
      BatchOutputs.Wish(
        output: output, outputDir: outputDir,
        suffix: stems == nil ? ".\((file.format ?? .wav).suffixes[0])" : "",
        isFolder: stems != nil), songs, of: .songs)
    defer { outputs.cleanUp() }
    guard songs.count == 1 || timecode.ltc == nil else {
      throw Failure(.usage, "--ltc: needs exactly one song, but got \(songs.count)")
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
      throw ValidationError("--stems \(text): not channel or track")
    }
    return choice
  }
}
