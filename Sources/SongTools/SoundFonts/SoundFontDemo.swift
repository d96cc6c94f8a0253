// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MusicSequences
internal import PlayerControl
internal import ScoreNotation
internal import SoundFontInstruments

/// The command `downbeat soundfont demo`, which plays a phrase with one program.
struct SoundFontDemo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a phrase with a program of a soundfont.",
    discussion: """
      EXAMPLES:
        downbeat soundfont demo --program violin
        downbeat soundfont demo Font.sf2 --kit 41
        downbeat soundfont demo --program 1 -o piano.wav
      """)

  @Argument(
    help: ArgumentHelp("Soundfont. Default: the soundfont in use.", valueName: "file"),
    completion: .fonts)
  var font: String?

  @Option(
    parsing: .unconditional, help: "Program, 1…128 or a General MIDI name (violin).",
    completion: .programs,
    transform: { Int(try ProgramWords.program($0)) + 1 })
  var program = 1

  @Option(parsing: .unconditional, help: "Bank, 0…127.")
  var bank = 0

  @Option(
    parsing: .unconditional, help: "Drum kit, 1…128 or a name (brush), instead of a program.",
    transform: { Int(try ProgramWords.program($0, on: .percussion)) + 1 })
  var kit: Int?

  @Option(name: [.short, .long], help: "Write a sound file instead of playing.")
  var output: String?

  @Flag(help: "Replace OUT if it exists.")
  var overwrite = false

  @Option(
    name: [.short, .long], help: "Sound device, as in `play`.", completion: .devices)
  var audio = AudioChoice.auto

  @OptionGroup var sound: SoundOptions
  @OptionGroup var report: JSONOption

  var runs: Bool { output == nil }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    guard (0...127).contains(bank) else { throw ValidationError("--bank \(bank): not in 0…127") }
    guard font == nil || sound.soundfont.isEmpty else {
      throw ValidationError(
        "--soundfont: cannot be used with FILE, which is also a soundfont (use one of the two)")
    }
  }

  func run() throws {
    let sequence = try ScoreReader().read(score)
    var sound = sound
    if let font { sound.soundfont = [try FontChoice(parsing: font)] }
    let settings = try sound.settings(sound.settings(), for: [sequence])
    let missing: [MissingPreset]
    if let output {
      missing = try write(sequence, settings, to: output)
    } else {
      let device = try OutputDevice.open(audio, rate: sound.rate, feed: OutputDevice.Feed())
      var settings = settings
      settings.rate = device.rate
      let song = try ChainedSong(sequence, settings, sound, isLive: true)
      let session = try Session(
        song.sequence, settings: song.settings, instruments: song.instruments,
        registry: song.registry)
      missing = session.missingPresets + song.missingPresets
      let source = settings.soundFonts.first.map { " of \($0.path)" } ?? ""
      Terminal.report("playing \(title)\(source)")
      try JSONReport.begin([("device", .text(device.name))])
      try session.play(on: device.unit).waitUntilFinished()
    }
    for preset in missing { Terminal.report(preset.sentence) }
    try tell(missing)
    if missing.contains(where: { !$0.isVariation }) { throw ExitStatus.partial }
  }

  /// Reports the file as JSON, with `--json`.
  private func tell(_ missing: [MissingPreset]) throws {
    guard report.json, let output else { return }
    let kind = try SoundFileFormat(path: output, encoding: nil).container
    var written = try WrittenFile.sound(output, from: nil, kind: kind)
    written.add("missing", .array(missing.map { .text($0.sentence) }))
    written.tell(missing.contains { !$0.isVariation } ? .partial : .success)
  }

  private func write(
    _ sequence: MusicSequence, _ settings: SessionSettings, to path: String
  ) throws -> [MissingPreset] {
    var options = SoundFileWriter.Options()
    options.mayReplace = overwrite
    let writer = try SoundFileWriter(
      path: path, format: try SoundFileFormat(path: path, encoding: nil),
      channelCount: SongRenderer.channelCount, rate: settings.rate, options: options)
    let song = try ChainedSong(sequence, settings, sound, isLive: false)
    let renderer = try SongRenderer(
      song.sequence, settings: song.settings, instruments: song.instruments,
      registry: song.registry)
    // A plug-in may crash or hang when it is freed. Therefore it is freed after the file is
    // complete.
    defer { withExtendedLifetime((renderer, song)) {} }
    try renderer.render { samples, _ in
      try writer.write(samples)
      return true
    }
    try writer.finish()
    return renderer.missingPresets + song.missingPresets
  }

  /// The program or the kit, by number and name.
  private var title: String {
    if let kit { return "kit \(kit) \(GeneralMIDI.name(ofKit: UInt8(kit - 1)) ?? "")" }
    let name = "program \(program) \(GeneralMIDI.name(ofProgram: UInt8(program - 1)))"
    return bank == 0 ? name : "\(name) of bank \(bank)"
  }

  /// The score of the phrase: soft, loud, low, high, and a long chord.
  ///
  /// For a drum kit, it is a pattern.
  private var score: String {
    if let kit {
      return """
        tempo 100
        drums: @program \(kit) kick x---x--- snare --x---x- hat xxxxxxxx *2
        """
    }
    let select = bank == 0 ? "" : "@cc 0 \(bank) "
    return """
      tempo 96
      demo: \(select)@program \(program) v50 c4/8 e g c5 v80 c4 e g c5 v115 c4 e g c5 v96 \
      [c3 g3]/4 [c4 e4 g4] c6/8 g5 e c [c4 e4 g4 c5]/2
      """
  }
}
