// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// Words of other programs, with the corresponding options of this one.
///
/// The programs are fluidsynth, timidity, aplaymidi, mpv, ffmpeg and sox.
/// They are suggestions in error messages, and are not accepted.
enum ForeignWords {
  /// The options of this program with the corresponding options of others, for commands that have
  /// the option.
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
    ("--output", ["--outfile", "--output-file", "--out", "-O", "-F", "-Ow", "--fast-render"]),
    ("--lrc", ["--times", "--time", "--timed", "--timestamps"]),
    ("--overwrite", ["--force", "-y", "-f"]),
    ("--quiet", ["--silent"]),
    ("--polyphony", ["--voices", "--max-voices"]),
    ("--transpose", ["--pitch", "--key", "--semitones"]),
    ("--format", ["--type", "--output-format"]),
    ("--bits", ["--bit-depth", "--sample-format", "--sample-fmt"]),
    ("--json", ["--format-json", "-j"]),
  ]

  /// The options that request a sound file.
  private static let rendering: Set<String> = [
    "-o", "-F", "-O", "-Ow", "-w", "--output", "--output-file", "--out", "--outfile",
    "--fast-render", "--wav", "--render",
  ]

  /// Returns a suggestion for an unknown option.
  ///
  /// - Parameters:
  ///   - option: The option as it was typed, without its value.
  ///   - command: The command that does not have the option.
  ///   - words: All typed words.
  /// - Returns: The words to type instead; nil without a suggestion.
  static func advice(
    for option: String, in command: CommandDescription, typed words: [String]
  ) -> String? {
    let name = command.words.last
    if option == "-o", let setting = fluidSynthSetting(in: words) { return setting }
    if name == "play", rendering.contains(option) {
      return rendered(TypedFiles(in: words, of: command), words)
    }
    if name == "check", ["--fix", "--repair"].contains(option) {
      let song = TypedFiles(in: words, of: command).files.first ?? "song.mid"
      return "downbeat edit \(song) -o repaired.mid"
    }
    if name == "alert", option == "--list" {
      return "the name of an alert: chime, ping, knock or pulse"
    }
    if name == "edit", let operation = EditAdvice.operation(for: option, typed: words) {
      return operation
    }
    if option == "-l" || option == "--list" { return "downbeat ports list, downbeat devices" }
    if option == "-v" { return "downbeat --version" }
    if option == "-i" || option == "--input" { return "leave out \(option)" }
    // In `graph`, `--for` names a command.
    let names = command.options.flatMap(\.names).filter { name != "graph" || $0 != "--for" }
    if option == "--size", names.contains("--width") { return "--width and --height" }
    return options.first { $0.foreign.contains(option) && names.contains($0.ours) }?.ours
  }

  /// Returns a command line of `render` for words of `play`.
  private static func rendered(_ typed: TypedFiles, _ words: [String]) -> String {
    let rate = value(of: ["-r", "--rate", "--sample-rate"], in: words)
    let files = typed.files.filter { $0 != rate }
    let font = files.first(where: FontWord.isFont)
    let others = files.filter { $0 != font }
    let song = others.first { BatchOutputs.soundFileName($0) == nil } ?? "song.mid"
    let sound =
      typed.output ?? others.last { BatchOutputs.soundFileName($0) != nil } ?? "song.wav"
    let options = [font.map { " -s \($0)" }, rate.map { " --rate \($0)" }].compactMap(\.self)
    return "downbeat render \(song)\(options.first ?? "") -o \(sound)"
      + options.dropFirst().joined()
  }

  /// Returns the word after the first of several options; nil for none.
  private static func value(of options: Set<String>, in words: [String]) -> String? {
    guard let index = words.firstIndex(where: options.contains), index + 1 < words.count else {
      return nil
    }
    return words[index + 1]
  }

  /// Returns the option for a setting of FluidSynth after `-o`, such as `synth.gain=1`; nil for
  /// other words.
  private static func fluidSynthSetting(in words: [String]) -> String? {
    guard let setting = value(of: ["-o"], in: words)?.split(separator: "=").first,
      let group = setting.split(separator: ".").first,
      ["synth", "audio", "midi", "player", "shell"].contains(group), setting.contains(".")
    else { return nil }
    let ours: [Substring: String] = [
      "synth.gain": "--gain", "synth.polyphony": "--polyphony", "synth.sample-rate": "--rate",
      "audio.driver": "--audio", "audio.alsa.device": "--audio", "audio.period-size": "--period",
      "audio.periods": "--periods", "synth.cpu-cores": "--threads", "midi.driver": "--port",
      "synth.default-soundfont": "--soundfont", "synth.midi-bank-select": "--bank-mode",
    ]
    return ours[setting] ?? "downbeat render --help-all for the settings of the synthesiser"
  }
}
