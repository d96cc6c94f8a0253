// SPDX-License-Identifier: Apache-2.0

/// The most common options of the commands with many options.
enum CommonOptions {
  /// The section of the full help that is also in the short help, by the name of the command.
  static let sections = ["convert": "TIMES:", "ctl": "COMMANDS:", "edit": "OPERATIONS:"]

  /// The most common options, by the name of the command, in groups with headings.
  static let groups: [String: [(heading: String, options: [String])]] = [
    "play": [
      ("SOUND AND PORTS", ["soundfont", "audio", "port", "synth", "gain", "effect"]),
      ("PART OF THE SONG", ["from", "to", "loop", "transpose", "speed", "mute", "solo"]),
      ("PLAYLIST", ["shuffle", "repeat", "resume", "remember"]),
      ("CLOCKS", ["sync", "clock-out"]), ("OUTPUT", ["quiet", "json", "web"]),
    ],
    "render": [
      ("FILE", ["output", "output-dir", "overwrite", "format", "bits", "channels", "normalize"]),
      (
        "PART OF THE SONG", ["from", "to", "length", "tail", "transpose", "speed", "mute", "stems"]
      ),
      ("SOUND", ["soundfont", "rate", "gain", "effect"]), ("OUTPUT", ["quiet", "json"]),
    ],
    "record": [
      ("FILE", ["output", "overwrite", "length", "split-channels", "quantise"]),
      ("PORTS", ["port", "rtp", "channel"]),
      ("MUSIC", ["tempo", "meter", "start", "over", "count-in", "metronome"]),
      ("OUTPUT", ["quiet", "json"]),
    ],
    "graph": [
      ("PICTURE", ["form", "save", "overwrite", "for"]),
      ("SOUND", ["soundfont", "effect", "graph", "instrument", "on", "bus", "send"]),
      ("OUTPUT", ["quiet", "json"]),
    ],
    "synth": [
      (
        "SOUND AND PORTS",
        ["port", "rtp", "name", "audio", "latency", "soundfont", "gain", "effect"]
      ),
      ("OUTPUT", ["quiet", "json"]),
    ],
    "plot": [
      ("PICTURE", ["output", "format", "width", "height", "theme", "overwrite", "audio"]),
      ("PART OF THE SONG", ["from", "to", "mute", "solo"]), ("OUTPUT", ["quiet", "json"]),
    ],
    "ctl": [("OPTIONS", ["socket", "json"])],
    "convert": [
      ("FORMATS", ["to", "from", "exact", "round"]),
      ("MUSIC", ["song", "tempo", "meter", "ppq", "rate", "fps"]), ("OUTPUT", ["json", "batch"]),
    ],
    "sound play": [
      ("OPTIONS", ["gain", "speed", "loop", "from", "to", "effect", "audio", "quiet", "json"])
    ],
    "edit": [("OPTIONS", ["output", "do", "range", "track", "overwrite", "quiet", "json"])],
  ]
}
