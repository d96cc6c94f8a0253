// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import SongTools

/// The command `downbeat config`, which shows and changes settings.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, change and check settings (default values of options).",
    discussion: """
      Each setting gives the default value of an option. In config.toml, a setting of one command \
      is in the table of that command; a setting that precedes the first table applies to every \
      command that has the option. The command line overrides environment variables, which override files; the \
      user's file overrides the file for all users.

      EXAMPLES:
        downbeat config set play.gain -3dB    change a setting
        downbeat config get play.gain         print it; unset removes it
        downbeat config list                  list settings, files and lines
        downbeat config edit                  open the file, then check it
        downbeat play --profile stage a.mid   use the settings of a profile
        DOWNBEAT_PLAY_GAIN=-3dB downbeat a.mid

      FILE:
        soundfont = "~/fonts/FluidR3_GM.sf2"
        rate = "44.1k"
        [play]
        gain = "-3dB"
        port = ["UM-ONE", "24:0"]
        [clock.send]
        tempo = 125
        [profile.stage.play]
        audio = "hw:1,0"
        [keys]                       # a command of downbeat ctl, or none
        "j" = "seek -10"
        "Ctrl-L" = "panic"
        [colors]                     # faint, good, warning, bad, accent
        accent = "magenta"
      """,
    subcommands: [
      ConfigShow.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self, ConfigPath.self,
      ConfigEdit.self, ConfigCheck.self,
    ],
    defaultSubcommand: ConfigShow.self)
}

/// The command `downbeat config path`, which prints the path of the user's configuration file.
struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the configuration file.")

  func run() throws {
    try Terminal.output(data: [ConfigReport.ownPath()])
  }
}

/// The command `downbeat config show`, which prints every setting with its file and line.
struct ConfigShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all settings, with the file and line of each.",
    aliases: ["list"])

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let report = ConfigReport()
    if json {
      try Terminal.output(report.json)
    } else {
      try Terminal.output(report.lines)
      if report.lines.isEmpty { Terminal.report("no settings (to add some: downbeat config edit)") }
    }
  }
}

/// The command `downbeat config check`, which checks that every setting is valid.
struct ConfigCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that every setting is valid.",
    discussion: """
      The exit status is 0 if all settings are valid, and 78 otherwise. A missing soundfont is \
      reported. A setting that precedes the first table is also reported if some commands do not \
      accept it. Values that depend on a song or a device are only checked when they are used; an \
      error then names the line.
      """)

  func run() throws {
    let report = ConfigReport()
    let faults = try report.faults()
    for line in try faults + report.remarks() { Terminal.report(line) }
    if !faults.isEmpty { throw ExitStatus.configuration }
  }
}
