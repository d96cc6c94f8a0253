// SPDX-License-Identifier: Apache-2.0

/// What holds for every command, said once on the page of the tool.
enum CommonSections {
  /// What the tool is.
  static let introduction = [
    "Downbeat plays MIDI files through a synthesiser or to MIDI ports, makes sound files of them,"
      + " and shows and edits what they hold. It sends and follows MIDI clock and MIDI time code,"
      + " and converts between bars, seconds, samples and SMPTE labels."
  ]

  /// Adds the sections to the page.
  static func append(to page: inout Roff) {
    page.request("SH", "ENVIRONMENT")
    for (name, text) in variables { page.item(Roff.bold(name), [text]) }
    page.request("SH", "FILES")
    for (name, text) in files { page.item(Roff.italic(name), [text]) }
    page.request("SH", "NUMBERS")
    for text in numbers { page.paragraph([text[...]]) }
  }

  private static let variables = [
    ("DOWNBEAT_SOUNDFONT", "The soundfont that plays where none is named."),
    (
      "SDL_SOUNDFONTS, SOUND_FONT, SOUNDFONT",
      "The same, as other programs call it; the first that is set decides."
    ),
    ("ALSA_OUTPUT_PORTS", "The MIDI port where none is named with --port."),
    (
      "DOWNBEAT_COMMAND_OPTION",
      "An option of a command, such as DOWNBEAT_PLAY_GAIN=-3dB; DOWNBEAT_GAIN is that of every"
        + " command that has it."
    ),
    ("DOWNBEAT_PROFILE", "The profile of settings, as with --profile."),
    (
      "DOWNBEAT_CONFIG", "The configuration file in place of all others; empty: none."
    ),
    ("XDG_CONFIG_HOME, XDG_CONFIG_DIRS", "Where configuration files are looked for."),
    (
      "XDG_CACHE_HOME",
      "Where the measured levels of soundfonts are kept, and what plug-ins were found."
    ),
    ("LV2_PATH", "The folders of LV2 plug-ins, in place of the usual ones."),
    (
      "XDG_STATE_HOME",
      "Where play remembers how songs were set and where a list was left (downbeat/play.json)."
    ),
    ("XDG_RUNTIME_DIR", "Where served clocks and the sockets of players are found."),
    ("DBUS_SESSION_BUS_ADDRESS", "The message bus on which desktops find a player."),
  ]

  private static let files = [
    (
      "~/.config/downbeat/config.toml",
      "Settings: every option's default, by command; downbeat-config(1) says how."
        + " /etc/xdg/downbeat/config.toml holds those of a machine."
    ),
    (
      "~/.local/share/soundfonts, /usr/share/sounds/sf2, /usr/share/sounds/sf3",
      "Where soundfonts are looked for; `downbeat soundfont which` tells which is found, and why."
    ),
  ]

  private static let numbers = [
    "--help shows a page with the options that most people use, --help-all all of them, as this page"
      + " does.",
    "Channels count from 1 to 16 and programs from 1 to 128; in JSON both count from 0. Key 60,"
      + " the middle C, is C4.",
    "A time can be written in any format wherever one is asked for: downbeat-convert(1) lists"
      + " them. A bare number is seconds where only a time can be meant.",
    "A gain is in decibels, -6dB or -6, or a factor, 50%; 0dB changes nothing.",
  ]
}
