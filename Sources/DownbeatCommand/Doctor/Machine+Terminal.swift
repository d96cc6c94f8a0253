// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools

/// The checks on the terminal.
extension Machine {
  var terminalFindings: [Finding] { [screen, characters, colours] }

  private var kind: String? { variable("TERM") }

  private var screen: Finding {
    let why = "The live display redraws lines of the terminal."
    guard let columns else { return .ok("terminal", "output is not a terminal", why: why) }
    guard let kind, kind != "dumb" else {
      return .warning(
        "terminal", "TERM is \(kind ?? "not set")", why: why,
        fixes: ["export TERM=xterm-256color"])
    }
    let found = "\(kind), \(columns.counted("column"))"
    return columns < 40
      ? .warning("terminal", "\(found), too narrow (at least 40)", why: why)
      : .ok("terminal", found, why: why)
  }

  private var characters: Finding {
    let why = "Titles, lyrics and symbols are printed in UTF-8."
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first
    let set = (locale ?? "").lowercased().filter { $0 != "-" }
    if set.contains("utf8") { return .ok("characters", locale ?? "", why: why) }
    return .warning(
      "characters", "\(locale ?? "no locale"), not UTF-8", why: why,
      fixes: ["export LC_ALL=C.UTF-8"])
  }

  private var colours: Finding {
    let why = "Colours are optional; all information is also shown without them."
    let found: String
    if variable("NO_COLOR") != nil {
      found = "off (NO_COLOR)"
    } else if ["truecolor", "24bit"].contains(variable("COLORTERM")) {
      found = "16 million"
    } else {
      found = kind?.contains("256color") == true ? "256" : "basic"
    }
    return .ok("colours", found, why: why)
  }
}
