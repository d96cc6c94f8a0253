// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import Glibc
internal import MusicSequences

/// The command `downbeat edit`, which applies operations to a song.
package struct Edit: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit a MIDI file: cut, move, transpose, quantise, reverse, convert …",
    discussion: """
      Each --do is one operation: its name, its values, and settings as name=value. Operations are \
      applied in the order given. Without --do, the file is rewritten, and repaired if it is \
      damaged.

      OPERATIONS:
        clear                   remove events; nothing else moves
        cut                     remove events and close the gap
        copy to=TIME            insert a copy; later events move to make room
        merge to=TIME           add a copy at TIME; nothing else moves
        move DISTANCE           move events: +1/4 -120t
        insert-time DISTANCE    insert time at=TIME, or at the start of the range
        delete-time             remove time; notes that sound there get shorter;
                                tempo, programs and controllers set there still
                                apply after it
        transpose N             transpose by N semitones; 'drums' includes drums,
                                'fold' brings keys outside 0…127 back by octaves
        scale-time FACTOR       stretch or compress: 2 3/2 50%
        quantise GRID           move notes to a grid: 1/16, 1/8t (triplets), 1/8.
                                (dotted), 120t; strength=80% swing=60%; 'ends'
                                moves note ends too
        velocity CHANGE         change velocities: 90% +10 -10 =100, 50%..100%
                                (crescendo), or points IN:OUT: 0:20,127:110
        tempo TEMPO             set the tempo of the range: 120bpm; later tempos
                                stay the same
        program N|NAME          set a program, 1…128 or violin, on channel=1,3 or on
                                all channels except drums
        volume N                set a volume, 0…127, or change it by decibels or
                                per cent (-6dB, 50%), on channel=1,3 or on all;
                                after the range, the old program or volume returns
        unroll                  write loops out as events; endless loops until the
                                end of the other tracks, or until=TIME
        delete-track            delete tracks: track=2,5
        split                   make one track per channel
        join                    merge tracks into one
        reverse                 reverse the order of notes; the length stays the same
        retime TEMPO            set the tempo (120bpm), but keep all times in seconds
        format 0|1|2            convert to this file format; patterns (format 2) play
                                one after another, or 'together'

      SETTINGS of one operation, which override --range and --track:
        range=FROM..TO          from the time FROM until just before the time TO;
                                5|1.. is to the end, ..9|1 from the start, and
                                @verse..@chorus from marker to marker
        track=1,3-5             tracks by number; default: all tracks; for cut, copy,
                                insert-time, delete-time, scale-time and reverse
                                also the tempo and the meters

      An RMID file keeps its bank and texts if the output is named .rmi, .rmid or .sfmi, or is \
      standard output.

      Parts of the result that a MIDI file cannot store are reported on standard error (see \
      Documentation/Editing.md).

      A note belongs to the range in which it starts. DISTANCE is a note value (1/4, 3/8), quarter \
      notes (2b) or ticks (120t). 5.1.0 is the same time as 5|1, but needs no quotes in a shell.

      EXAMPLES:
        downbeat edit song.mid -o up.mid --do 'transpose +2'
        downbeat edit song.mid -o tight.mid --do 'quantise 1/16 strength=80%'
        downbeat edit song.mid -o swing.mid --do 'quantise 1/8 swing=62% track=2'
        downbeat edit song.mid -o short.mid --do 'delete-time range=2|1..4|1'
        downbeat edit song.mid -o again.mid --do 'copy range=2|1..3|1 to=3|1'
        downbeat edit song.mid -o late.mid --do 'insert-time 4/4 at=@chorus'
        downbeat edit song.mid -o grow.mid --range ..3.1.0 --do 'velocity 40%..99%'
        downbeat edit song.mid -o half.mid --do 'scale-time 2' --do 'retime 120bpm'
        downbeat edit song.mid -o slow.mid --do 'tempo 96bpm' --do 'program violin'
        downbeat edit song.mid -o soft.mid --do 'volume 80 range=3|1..'
        downbeat edit song.mid -o back.mid --do reverse --do 'transpose -12 drums'
        downbeat edit song.mid -o one.mid --do join --do 'format 0' --overwrite
        cat song.mid | downbeat edit - -o - --do split | downbeat info -
        downbeat edit song.mid --embed -o song.rmi      song and sounds in one file
        downbeat edit song.mid --embed -s FluidR3_GM -s Choir.sf2,bank=8 -o song.rmi

      EXIT STATUS: 0 success, 1 operation not possible in this song, 3 success after repairs, 64 \
      usage error, 65 not a MIDI file, 66 input not found, 73 output not writable, 74 write error.
      """)

  @Argument(
    help: ArgumentHelp("MIDI file; - reads standard input.", valueName: "file"),
    completion: .songs)
  package var path: String

  @Option(name: [.short, .long], help: "File to write; - is standard output.")
  package var output: String

  @Option(
    name: .customLong("do"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Operation; repeatable.", valueName: "operation"),
    transform: EditStep.init(parsing:))
  package var steps: [EditStep] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Range of operations without a range= setting.", valueName: "from..to"),
    transform: EditRange.init(parsing:))
  package var range: EditRange = .everything

  @Option(
    help: ArgumentHelp("Tracks of operations without a track= setting.", valueName: "list"),
    transform: TrackList.init(parsing:))
  package var track: TrackList?

  @Flag(help: "Replace OUT if it exists.")
  package var overwrite = false

  @OptionGroup(title: "Sounds inside the file") package var sounds: EmbedOptions
  @OptionGroup package var reading: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { path }
  package var reportedOutput: String? { output }

  package func validate() throws {
    try report.check(output)
    try sounds.check(output)
  }

  package func run() throws {
    // The signal for a file that exceeds the size limit is ignored, so that the write error is
    // reported.
    signal(SIGXFSZ, SIG_IGN)
    let target = try OutputFile(named: output, overwrite: overwrite)
    let song = try reading.read(path)
    var file = song.file
    for step in steps { try apply(step, to: &file, named: song.name) }
    if sounds.embed { return try embed(file, of: song, in: target) }
    let (bytes, losses) = try written(file, named: song.name)
    if let notice = wrapperNotice(of: file), !reading.quiet {
      Terminal.report("\(song.name): \(notice)")
    }
    try target.write(bytes)
    if !reading.quiet { SaveReport(name: target.name, losses: losses).tell() }
    if report.json {
      var written = try WrittenFile.song(output, from: song.name, file, losses: losses)
      written.add(repairsOf: song.file)
      written.tell(song.status)
    }
    if song.status != .success { throw song.status }
  }

  /// Writes the song together with the sounds that it plays.
  private func embed(_ file: SequenceFile, of song: Song, in target: OutputFile) throws {
    let embedded = try EmbeddedSong(file, named: song.name, sounds)
    let losses = try written(file, named: song.name).1.filter { $0.kind != .container(.rmid) }
    try embedded.write(to: target)
    if !reading.quiet {
      SaveReport(name: target.name, losses: losses).tell()
      embedded.tell(as: target.name)
    }
    if report.json {
      var written = try WrittenFile.song(
        output, from: song.name, file, losses: losses, kind: "rmid")
      embedded.add(to: &written)
      written.add(repairsOf: song.file)
      written.tell(song.status)
    }
    if song.status != .success { throw song.status }
  }

  /// Applies an operation, and reports the settings that a cut removes.
  private func apply(
    _ step: EditStep, to file: inout SequenceFile, named name: String
  ) throws {
    let editor = SongEditor(step: step, range: step.range ?? range, tracks: step.tracks ?? track)
    do {
      let lost = try editor.settingsLost(from: file).names
      try editor.edit(&file)
      guard let lost, !reading.quiet else { return }
      Terminal.report(
        "\(name): \(step.text): also removes \(lost) set in its range (delete-time keeps them)")
    } catch let error as SequenceError {
      throw Failure(.failure, "\(name): \(step.text): \(error)")
    }
  }

  private func written(
    _ file: SequenceFile, named name: String
  ) throws(Failure) -> ([UInt8], [SaveLoss]) {
    do {
      let losses = try SMFWriter().losses(of: file)
      guard keepsWrapper else { return (try SMFWriter().write(file), losses) }
      return (
        try WrapperWriter().write(file), losses.filter { $0.kind != .container(.rmid) }
      )
    } catch {
      throw Failure(.failure, "\(name): \(error)")
    }
  }

  /// True if the name of the output is that of a RIFF file, or if the output is standard output.
  private var keepsWrapper: Bool {
    let name = output.lowercased()
    return output == "-" || [".rmi", ".rmid", ".sfmi"].contains { name.hasSuffix($0) }
  }

  /// The parts of the RIFF wrapper that are not written; nil if nothing is lost.
  private func wrapperNotice(of file: SequenceFile) -> String? {
    guard !keepsWrapper, let wrapper = file.wrapper, wrapper.hasContents else { return nil }
    let parts = wrapper.bank == nil ? "texts" : "bank and texts"
    return "the \(parts) of the RIFF wrapper are not written (to keep them, name the output .rmi)"
  }
}
