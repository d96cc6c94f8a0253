// SPDX-License-Identifier: Apache-2.0

/// The sections for all commands, which are only on the page of `downbeat` itself.
enum CommonSections {
  /// The introduction to the tool.
  static let introduction = [
    "Downbeat plays MIDI files through a synthesiser or to MIDI ports, renders them to sound files,"
      + " and inspects and edits them. It sends and follows MIDI clock and MIDI time code, and"
      + " converts between bars, seconds, samples and SMPTE time code."
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
    ("DOWNBEAT_SOUNDFONT", "Default soundfont."),
    (
      "SDL_SOUNDFONTS, SOUND_FONT, SOUNDFONT",
      "Default soundfont, in variables of other programs; the first one that is set is used."
    ),
    ("ALSA_OUTPUT_PORTS", "MIDI port to use without --port."),
    (
      "DOWNBEAT_COMMAND_OPTION",
      "Default of an option of a command, such as DOWNBEAT_PLAY_GAIN=-3dB; DOWNBEAT_GAIN applies"
        + " to every command with that option."
    ),
    ("DOWNBEAT_PROFILE", "Profile of settings, as with --profile."),
    (
      "DOWNBEAT_CONFIG", "Configuration file to use instead of all others; if empty, none is used."
    ),
    ("XDG_CONFIG_HOME, XDG_CONFIG_DIRS", "Folders that are searched for configuration files."),
    (
      "XDG_CACHE_HOME",
      "Folder for the measured levels of soundfonts and the list of plug-ins."
    ),
    ("COLUMNS", "Width of help, 40 to 100; by default that of the terminal."),
    (
      "LC_ALL, LC_CTYPE, LANG",
      "Without UTF-8 in the locale, text is printed in ASCII. JSON is always UTF-8."
    ),
    ("LV2_PATH", "Folders of LV2 plug-ins, instead of the standard ones."),
    (
      "XDG_STATE_HOME",
      "Folder of downbeat/play.json, the data of play --remember and --resume."
    ),
    ("XDG_RUNTIME_DIR", "Folder of running clocks and of players' sockets."),
    ("DBUS_SESSION_BUS_ADDRESS", "D-Bus session bus, for media keys and desktop controls."),
  ]

  private static let files = [
    (
      "~/.config/downbeat/config.toml",
      "Settings: defaults of options, by command; see downbeat-config(1)."
        + " /etc/xdg/downbeat/config.toml applies to all users."
    ),
    (
      "~/.local/share/soundfonts, /usr/share/sounds/sf2, /usr/share/sounds/sf3",
      "Folders that are searched for soundfonts; `downbeat soundfont which` shows which one is"
        + " used, and why."
    ),
  ]

  private static let numbers = [
    "--help shows the most common options; --help-all shows all of them, like this page."
      + " `downbeat help keys` lists the keys of the live display.",
    "Channels are numbered from 1 to 16 and programs from 1 to 128; in JSON both start at 0. Middle"
      + " C, key 60, is C4.",
    "Every option for a time accepts all time formats; downbeat-convert(1) lists them. A number"
      + " without a unit is in seconds if only a time is possible.",
    "A gain is in decibels, -6dB or -6, or a factor, 50%; 0dB changes nothing.",
  ]
}
