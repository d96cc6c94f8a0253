// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import Glibc
internal import MusicSequences

/// `downbeat edit`: changes a song, one operation after the other.
package struct Edit: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Edit a MIDI file: cut, move, transpose, quantise, reverse, convert …",
    discussion: """
      Each --do is one operation: its name, its values, and settings of the form
      name=value. They are done in the order given. Without --do the file is only
      written anew, with the repairs that its reading made.

      OPERATIONS:
        clear                   remove events; nothing else moves
        cut                     remove events and close the gap
        copy to=TIME            insert a copy, which opens a gap for it
        merge to=TIME           add a copy among what is there
        move DISTANCE           move events: +1/4 -120t
        insert-time DISTANCE    add time at=TIME, or where the range begins
        delete-time             take time away; notes that sound there get shorter,
                                tempo, programs and controllers stay in force
        transpose N             by semitones; drums only with 'drums', 'fold'
                                brings keys that leave 0…127 back by octaves
        scale-time FACTOR       stretch or compress: 2 3/2 50%
        quantise GRID           to 1/16, 1/8t (triplets), 1/8. (dotted), 120t;
                                strength=80% swing=60%, 'ends' moves ends too
        velocity CHANGE         90% +10 -10 =100, 50%..100% (crescendo), or points
                                0:20,64:50,127:110
        tempo TEMPO             play the range at a tempo: 120bpm; what comes after
                                keeps its own
        program N|NAME          set a program, 1…128 or violin: of channel=1,3, or of
                                all channels but the drums'
        volume N                set a volume, 0…127: of channel=1,3, or of all; after
                                the range, the old program or volume holds again
        unroll                  write loops out as events; those without end as long
                                as the other tracks, or until=TIME
        delete-track            take tracks away: track=2,5
        split                   one track for each channel
        join                    make one track of several
        reverse                 play it backward; it lasts exactly as long
        retime TEMPO            another tempo, 120bpm, at which all keep their seconds
        format 0|1|2            convert to this format of file; from 2 one pattern
                                after the other, or 'together'

      SETTINGS of one operation, in place of --range and --track:
        range=FROM..TO          half open, both in any TIME format; 5|1.. to the end,
                                ..9|1 from the start, @verse..@chorus by markers
        track=1,3-5             tracks by number; without it all tracks, and with
                                cut, copy, insert-time, delete-time, scale-time and
                                reverse the tempo and the meters too

      What a MIDI file cannot hold of the result is reported on standard error when \
      the file is written (Documentation/Editing.md lists what that can be).

      A note belongs to the range it begins in. DISTANCE is a note value (1/4, 3/8),
      quarter notes (2b) or ticks (120t). Outside quotes 5|1 is written 5.1.0.

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

      EXIT STATUS: 0 done, 1 an operation is impossible here, 3 done after repairs,
      64 usage, 65 not MIDI, 66 no input, 73 no output, 74 failed while writing.
      """)

  @Argument(
    help: ArgumentHelp("The MIDI file; - reads standard input.", valueName: "file"),
    completion: .songs)
  package var path: String

  @Option(name: [.short, .long], help: "The file to write; - writes standard output.")
  package var output: String

  @Option(
    name: .customLong("do"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("An operation; may be given often.", valueName: "operation"),
    transform: EditStep.init(parsing:))
  package var steps: [EditStep] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The range of operations that name none.", valueName: "from..to"),
    transform: EditRange.init(parsing:))
  package var range: EditRange = .everything

  @Option(
    help: ArgumentHelp("The tracks of operations that name none.", valueName: "list"),
    transform: TrackList.init(parsing:))
  package var track: TrackList?

  @Flag(help: "Replace OUT where it is there already.")
  package var overwrite = false

  @OptionGroup package var reading: SongOptions
  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { path }
  package var reportedOutput: String? { output }

  package func validate() throws { try report.check(output) }

  package func run() throws {
    // A file that grows past a limit is an error to report, not a signal to die of.
    signal(SIGXFSZ, SIG_IGN)
    let target = try OutputFile(named: output, overwrite: overwrite)
    let song = try reading.read(path)
    var file = song.file
    for step in steps {
      let editor = SongEditor(step: step, range: step.range ?? range, tracks: step.tracks ?? track)
      do {
        try editor.edit(&file)
      } catch let error as SequenceError {
        throw Failure(.failure, "\(song.name): \(step.text): \(error)")
      }
    }
    let (bytes, losses) = try written(file, named: song.name)
    try target.write(bytes)
    if !reading.quiet { SaveReport(name: target.name, losses: losses).tell() }
    if report.json {
      var written = try WrittenFile.song(output, from: song.name, file, losses: losses)
      written.add(repairsOf: song.file)
      written.tell(song.status)
    }
    if song.status != .success { throw song.status }
  }

  private func written(
    _ file: SequenceFile, named name: String
  ) throws(Failure) -> ([UInt8], [SaveLoss]) {
    do {
      return (try SMFWriter().write(file), try SMFWriter().losses(of: file))
    } catch {
      throw Failure(.failure, "\(name): \(error)")
    }
  }
}
