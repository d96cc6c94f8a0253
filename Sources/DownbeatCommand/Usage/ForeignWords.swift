// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// Words that users of other programs type, and what they are called here: fluidsynth, timidity,
/// aplaymidi, mpv, ffmpeg, sox.
///
/// They are suggestions in messages; none of them is accepted.
enum ForeignWords {
  /// The options of other programs by our name, for the commands that have that option.
  private static let options: [(ours: String, foreign: Set<String>)] = [
    ("--soundfont", ["--sf2", "--sf", "--sf3", "--font", "--sound-font", "--patches", "-f"]),
    ("--gain", ["--volume", "--vol", "--level", "--amplification", "-A"]),
    ("--speed", ["--tempo", "--bpm", "--rate-factor", "--pitch-speed"]),
    ("--from", ["--start", "--start-time", "--begin", "--seek", "--skip", "--ss", "-ss"]),
    ("--to", ["--end", "--stop", "--end-time", "--until"]),
    ("--length", ["--duration", "--time"]),
    ("--for", ["--length", "--duration", "--time"]),
    ("--normalize", ["--lufs", "--loudness", "--loudnorm", "--normalise"]),
    ("--port", ["--midi-out", "--midi", "--output-port", "--client", "--midi-port"]),
    (
      "--audio",
      ["--ao", "--audio-driver", "--audio-device", "--device", "--driver", "--output-device"]
    ),
    ("--rate", ["--sample-rate", "--samplerate", "--sampling-freq", "--ar", "-ar", "--frequency"]),
    ("--period", ["--buffer-size", "--period-size", "--buffer", "--frames"]),
    ("--repeat", ["--loop-file", "--loop-playlist", "--loops", "--repeat-all"]),
    ("--mute", ["--mute-channel", "--quiet-channel"]),
    ("--output", ["--outfile", "--output-file", "--out", "-O"]),
    ("--overwrite", ["--force", "-y", "-f"]),
    ("--quiet", ["--silent"]),
    ("--polyphony", ["--voices", "--max-voices"]),
    ("--transpose", ["--pitch", "--key", "--semitones"]),
    ("--format", ["--type", "--output-format"]),
    ("--bits", ["--bit-depth", "--sample-format", "--sample-fmt"]),
    ("--json", ["--format-json", "-j"]),
  ]

  /// Options that ask for a sound file.
  private static let rendering: Set<String> = [
    "-o", "-F", "-O", "-Ow", "-w", "--output", "--output-file", "--out", "--outfile",
    "--fast-render", "--wav", "--render",
  ]

  /// The spelling of an option in a command.
  ///
  /// - Parameters:
  ///   - option: the option as it was typed, without its value.
  ///   - command: the command that does not know it.
  ///   - words: all words that were typed.
  /// - Returns: what to type instead; nil if the table does not have the option.
  static func advice(
    for option: String, in command: CommandDescription, typed words: [String]
  ) -> String? {
    let name = command.words.last
    if name == "play", rendering.contains(option) {
      return rendered(TypedFiles(in: words, of: command))
    }
    if name == "edit", let operation = EditAdvice.operation(for: option, typed: words) {
      return operation
    }
    if option == "-l" || option == "--list" { return "downbeat ports list, downbeat devices" }
    if option == "-v" { return "downbeat --version" }
    if option == "-i" || option == "--input" { return "leave \(option) out" }
    // In a graph, --for is the command that it is drawn for.
    let names = command.options.flatMap(\.names).filter { name != "graph" || $0 != "--for" }
    if option == "--size", names.contains("--width") { return "--width and --height" }
    return options.first { $0.foreign.contains(option) && names.contains($0.ours) }?.ours
  }

  /// The words of `play` as `render` takes them.
  private static func rendered(_ typed: TypedFiles) -> String {
    let files = typed.files
    let song = files.first { BatchOutputs.soundFileName($0) == nil } ?? "song.mid"
    let sound =
      typed.output ?? files.last { BatchOutputs.soundFileName($0) != nil } ?? "song.wav"
    return "downbeat render \(song) -o \(sound)"
  }
}
