// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Words of other programs, each with the suggestion that its error has.
@Suite struct ForeignWordsTests {
  @Test(arguments: [
    ("song.mid --sf2 x.sf2", "--sf2: unknown option (try --soundfont; downbeat play --help)"),
    ("play song.mid --volume 50", "--volume: unknown option (try --gain; downbeat play --help)"),
    ("song.mid --tempo 120", "try --speed;"), ("song.mid --start 10", "try --from;"),
    ("song.mid --ao alsa", "try --audio;"), ("song.mid --midi-out 20:0", "try --port;"),
    ("song.mid -o x.wav", "try downbeat render song.mid -o x.wav;"),
    ("-F x.wav song.mid", "try downbeat render song.mid -o x.wav;"), ("-l", "downbeat ports list"),
    ("render a.mid -o a.wav -y", "try --overwrite;"), ("info -v", "downbeat --version"),
    ("render a.mid", "the output is missing (add -o OUT.wav"), ("play song.mid --gian 3", "--gain"),
    (
      "render song.mid out.wav",
      "out.wav: is read as another song, not as the output (try -o out.wav)"
    ), ("sound convert a.wav b.flac", "another sound, not as the output (try -o b.flac)"),
    ("plot a.mid x.svg", "--output is missing (try -o x.svg)"),
    ("edit a.mid b.mid --strict", "--output is missing (try -o b.mid)"),
    ("sound join a.wav b.wav c.wav", "--output is missing (try -o c.wav)"),
    ("new a.score b.mid", "unexpected (try -o b.mid)"),
    ("plot a.mid --theme dark", "--output is missing (try -o song.svg)"),
    ("plot a.mid --soundfont x.sf2", "--output is missing (try -o song.svg)"),
    (
      "render a.mid --stems track -o x.wav",
      "x.wav: is the name of a sound file, but --stems writes a folder (try -o x or --output-dir x)"
    ), ("render a.mid --stems track -o x.flac", "(try -o x --format flac or --output-dir x"),
    ("list", "list: not a command (try downbeat ports list"), ("ls", "downbeat devices"),
    ("edit song.mid transpose 2", "downbeat edit song.mid -o edited.mid --do 'transpose 2'"),
    ("edit song.mid -o y.mid transpose 2", "downbeat edit song.mid -o y.mid --do 'transpose 2'"),
    ("edit -o y.mid song.mid transpose 2", "downbeat edit song.mid -o y.mid --do 'transpose 2'"),
    ("edit transpose 2 a.mid -o b.mid", "(downbeat edit a.mid -o b.mid --do 'transpose 2')"),
    ("edit a.mid cut bar 1-4", "edit a.mid -o edited.mid --range 'bar 1..bar 5' --do cut"),
    ("edit a.mid -o b.mid --cut 1-4", "(try --range 'bar 1..bar 5' --do cut; downbeat edit"),
    ("edit a.mid -o b.mid --cut 2|1..3|1", "(try --range '2|1..3|1' --do cut; downbeat edit"),
    ("edit a.mid -o b.mid --cut", "(try --range FROM..TO --do cut; downbeat edit --help)"),
    ("edit a.mid -o b.mid --crop", "(try --do 'delete-time range=TO..' --do 'delete-time range="),
    ("edit a.mid -o b.mid --quantise 16", "(try --do 'quantise 1/16'; downbeat edit --help)"),
    ("edit a.mid -o b.mid --quantize=8t", "(try --do 'quantise 1/8t'; downbeat edit --help)"),
    ("edit a.midi b.kar reverse", "downbeat edit a.midi -o b.kar --do 'reverse'"),
    ("edit song.mid transpose -3", "downbeat edit song.mid -o edited.mid --do 'transpose -3'"),
    ("edit song.mid output", "--output is missing (try -o song.mid)"),
    ("-s a.sf2 song.mid -o x.wav", "try downbeat render song.mid -o x.wav;"),
    ("render a.mid -o a.wav --rate fast", "--rate"),
    ("render a.mid -o a.wav --lufs -14", "try --normalize;"),
    ("song.mid --form 3", "try --from;"), ("song.mid --sped 2", "try --speed;"),
    ("plot a.mid --size 800x600", "try --width and --height;"),
    ("monitor --duration 3", "try --for;"), ("render a.mid -o a.wav --duration 3", "try --length;"),
    ("ctl resume", "unknown command 'resume' (try play)"), ("ctl gain -3", "(try volume)"),
    ("ctl louder5", "unknown command 'louder5' (try louder: 1 dB louder)"),
    ("ctl seek+10", "(try seek +10)"), ("ctl duration", "(try get duration)"),
    ("ctl louder 5", "louder: does not take a value (louder)"),
    ("ctl seek 90 parsecs", "unknown unit 'parsecs'"),
    ("ctl puase", "(did you mean pause?)"),
    ("edit a.mid -o b.mid --transpose -2", "try --do 'transpose -2'; downbeat edit --help"),
    ("edit a.mid -o b.mid -K 2", "-K: unknown option (try --do 'transpose 2';"),
    ("edit a.mid -o b.mid --quantize=1/8", "try --do 'quantise 1/8';"),
    ("edit a.mid --tempo -o b.mid", "--tempo: unknown option (try --do 'tempo 120bpm';"),
    ("edit a.mid -o b.mid --reverse", "try --do 'reverse';"),
    ("edit a.mid -o b.mid --copy 3", "try --do 'copy to=5|1';"),
    ("edit a.mid -o b.mid --from 3", "try --range FROM..TO;"),
    (
      "-ni a.sf2 a.mid -F a.wav -r 44100",
      "try downbeat render a.mid -s a.sf2 -o a.wav --rate 44100;"
    ), ("a.mid -o synth.gain=1", "-o: unknown option (try --gain; downbeat play --help)"),
    ("a.sf2 a.mid", "a.sf2: a soundfont, not a song (try -s a.sf2)"),
    ("render a.mid a.sf2 -o a.wav", "a.sf2: a soundfont, not a song (try -s a.sf2)"),
    ("a.sf3", "a.sf3: a soundfont, not a song (try downbeat soundfont demo a.sf3)"),
    ("a.dls a.mid", "a.dls: a soundfont, not a song (try -s a.dls)"),
    ("play -i a.mid", "-i: unknown option (leave out -i; downbeat play --help)"),
    ("play --hlep", "--hlep: unknown option (try --help; downbeat play --help)"),
    ("render --help-al", "--help-al: unknown option (try --help"),
    ("play -?", "-?: unknown option ("), ("-v", "downbeat --version"),
    ("info", "a file is missing (downbeat info --help)"),
    ("record", "--output is missing (try -o song.mid)"),
    ("sound record", "--output is missing (try -o sound.wav)"),
    ("pause", "pause: not a command (try downbeat ctl pause)"), ("seek 10", "downbeat ctl seek"),
    ("hlep", "did you mean help?"), ("HELP", "did you mean help?"), ("PLAY", "did you mean play?"),
    ("usage", "try downbeat --help"), ("metronome", "try downbeat play song.mid --metronome"),
    ("link", "try downbeat play song.mid --sync link"), ("ltc read", "did you mean watch?"),
    ("devices list", "'list': unexpected (leave it out: downbeat devices)"),
    ("lyrics a.mid --times", "--times: unknown option (try --lrc; downbeat lyrics --help)"),
    ("check a.mid --fix", "try downbeat edit a.mid -o repaired.mid;"),
    ("sound alert --list", "try the name of an alert: chime, ping, knock or pulse;"),
    ("ctl loop off", "loop: needs two times (to end the loop: no-loop)"),
    ("new 'c d e f'", "--output is missing (try downbeat new 'c d e f' -o song.mid)"),
  ])
  func `a word of another program is answered with ours`(line: String, part: String) throws {
    let run = try CommandRun(Self.words(of: line))
    #expect(run.status == 64, "\(line): \(run.status)")
    #expect(run.errors.contains(part), "\(line): \(run.errors)")
    #expect(run.errors.hasPrefix("downbeat: ") && run.errors.hasSuffix("\n"))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("mtc send -p 20:0 --fps 59.94", "at most 30 frames a second (use half the rate)"),
    ("render Songs/canon.mid -o none/", "none/: not a folder (try --output-dir none)"),
    ("song.mid --speed 70", "--speed 70: must be above 0 and at most 32 (try 70%)"),
    ("song.mid --speed 4000", "--speed 4000: must be above 0 and at most 32 ("),
    (
      "ltc send -o x.wav --fps 25 --from 1h --for 1s",
      "--from 1h: not a time code (try 01:00:00:00)"
    ), ("new ''", "the score is empty (try downbeat new 'c d e f' -o song.mid)"),
    (
      "ltc send -o x.wav --fps 29.97df --from 00:01:00;00 --for 1s",
      "--from 00:01:00;00: does not exist: drop-frame counting skips it"
    ),
    ("ltc send -o x.wav --fps 59.94 --for 1s", "the limit is 30 fps (use half the rate)"),
    ("render Songs/canon.mid Songs/groove.mid -o one.flac", "(try --output-dir one)"),
  ])
  func `a request that cannot be met names one that can`(line: String, part: String) throws {
    let run = try CommandRun(Self.words(of: line))
    #expect(run.status == 64 && run.errors.contains(part), "\(run.errors)")
  }

  @Test(arguments: [
    ("render a.mid -o a.wav --gain loud", "--gain loud: not decibels or a factor (try -6dB or"),
    ("render a.mid -o a.wav -g loud", "-g loud: not decibels or a factor (try -6dB or 50%)"),
    ("song.mid --transpose x", "--transpose x: not a number (transpose by semitones, -127…127"),
    ("song.mid --seed x", "--seed x: not a number (seed of --shuffle, 0 or greater;"),
    ("song.mid --latency lov", "--latency lov: must be low, normal or safe (did you mean low?)"),
    ("song.mid --latency 3", "must be low, normal or safe (downbeat play --help)"),
    ("render a.mid -o a.ogg --bitrate fast", "--bitrate fast: not a number (bitrate of AAC, MP3"),
    ("render a.mid -o a.wav --bits 12", "--bits 12: must be 8, 16, 24, 32, float"),
    ("render a.mid -o a.wav --from B", "--from B: not a time (try 1:30, 90s, bar 33 or @marker)"),
    ("render a.mid -o a.wav --to 2bars1", "(write bar 2, or 2bars + 1b for a length)"),
    ("convert 1:30 --to bar2", "--to bar2: not a format (try --to bbt; to convert a bar: downbeat"),
    ("convert 1:30 song.mid", "song.mid: a song, not a time (try downbeat convert --song song.mid"),
    ("convert 1:30 take.smf", "take.smf: a song, not a time"),
    ("edit a.mid -o b.mid --do 'tpmo 3'", "--do 'tpmo 3': unknown operation (use clear, cut"),
    ("song.mid --from", "--from: the value is missing ("),
    ("song.mid --json=2", "--json: does not take a value (leave out =2)"),
    ("clock send --bpm x", "--tempo x: not a tempo (try 120, 120bpm or 500000us/q)"),
  ])
  func `an error is one sentence with the value once and its form`(line: String, part: String)
    throws
  {
    let run = try CommandRun(Self.words(of: line))
    #expect(run.status == 64 && run.errors.contains(part), "\(run.errors)")
    #expect(run.errors.hasPrefix("downbeat: ") && run.errors.split(separator: "\n").count == 1)
    #expect(!run.errors.contains("invalid for") && !run.errors.contains("Missing"))
  }

  @Test func `help after a command with subcommands is its help page`() throws {
    for command in ["clock", "sound", "lv2"] {
      let page = try CommandRun([command, "help"])
      #expect(page.status == 0, "\(page.errors)")
      #expect(try page.text == CommandRun(["help", command]).text)
    }
    #expect(try CommandRun(["effects", "list"]).text == CommandRun(["effects"]).text)
  }

  @Test func `a MIDI file is not read as a score`() throws {
    let run = try CommandRun(["new", "Songs/rag.mid", "-o", "/dev/null/a.mid"])
    #expect(run.status == 65 && run.errors.contains("rag.mid: is a MIDI file, not a score ("))
  }

  @Test func `several inputs are refused for one file before it is written`() throws {
    let folder = try ScratchFolder()
    let song = try folder.write("a.mid", SongBytes.notes(2, every: 240))
    for words in [["sec", song], [song, "off"]] {
      for output in [folder.path("a.wav"), "-"] {
        let run = try CommandRun(["render"] + words + ["-o", output])
        #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.contains(": no such file, and "), "\(run.errors)")
        #expect(run.errors.contains("can hold only one song (leave out "), "\(run.errors)")
      }
    }
    #expect(try folder.names() == ["a.mid"])
  }

  @Test func `options of two names take both`() throws {
    for option in ["--tempo", "--bpm"] {
      #expect(try CommandRun(["convert", "1b", "--to", "ms", option, "60"]).text == "1000\n")
    }
    for command in ["render a.mid -o a.wav", "record -o a.mid", "sound record -o a.wav"] {
      let run = try CommandRun(Self.words(of: "\(command) --for B"))
      #expect(run.status == 64 && run.errors.contains("not a time"), "\(run.errors)")
    }
  }

  @Test(arguments: ["128k", "128", "128kbps", "128kbit/s", "128 kb/s", "128000bps"])
  func `a bitrate takes the units of other programs`(text: String) throws {
    let run = try CommandRun(["render", "no.mid", "-o", "/dev/null/a.opus", "--bitrate", text])
    #expect(!run.errors.contains("--bitrate \(text)"), "\(run.errors)")
    let wrong = try CommandRun(["render", "no.mid", "-o", "a.opus", "--bitrate", "\(text)x"])
    #expect(wrong.errors.contains("--bitrate"), "\(wrong.errors)")
  }

  @Test func `a bare gain up to 1 is reported as decibels`() throws {
    let lines = [
      ("--gain 0.5", "--gain 0.5: raises the level by 0.5 dB (for half the level type 50%)"),
      ("-g 1", "downbeat: --gain 1: raises the level by 1 dB (for an unchanged level type 100%)"),
      ("--gain .25", "--gain .25: raises the level by .25 dB (for 25 % of the level type 25%)"),
      ("--send 1=a:0.5", "--send a:0.5: raises the level by 0.5 dB (for half the level type 50%)"),
    ]
    for (words, note) in lines {
      let run = try CommandRun(Self.words(of: "render no.mid -o /dev/null/a.wav \(words)"))
      #expect(run.errors.contains(note), "\(words): \(run.errors)")
    }
    for words in ["+0.5", "0.5dB", "50%", "-0.5", "0", "1.5"] {
      let run = try CommandRun(["render", "no.mid", "-o", "/dev/null/a.wav", "--gain", words])
      #expect(!run.errors.contains("raises the level"), "\(words): \(run.errors)")
    }
    let environment: [String: String?] = ["XDG_RUNTIME_DIR": "/no/such/folder"]
    let volume = try CommandRun(["ctl", "volume", "0.5"], environment: environment)
    #expect(volume.errors.contains("volume 0.5: raises the level by 0.5 dB"), "\(volume.errors)")
  }

  /// The words of a line in which single quotes hold several together.
  private static func words(of line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      place, part in
      place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }
}
