// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools

/// The terminal.
extension Machine {
  var terminalFindings: [Finding] { [screen, characters, colours] }

  private var kind: String? { variable("TERM") }

  private var screen: Finding {
    let why = "Where a song is, is shown in one line that is drawn over itself."
    guard let columns else { return .ok("terminal", "the output goes elsewhere", why: why) }
    guard let kind, kind != "dumb" else {
      return .warning(
        "terminal", "TERM is \(kind ?? "not set")", why: why,
        fixes: ["export TERM=xterm-256color"])
    }
    let found = "\(kind), \(columns.counted("column"))"
    return columns < 40
      ? .warning("terminal", "\(found), which is narrow", why: why)
      : .ok("terminal", found, why: why)
  }

  private var characters: Finding {
    let why = "Titles, words and signs such as … are written in UTF-8."
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first
    let set = (locale ?? "").lowercased().filter { $0 != "-" }
    if set.contains("utf8") { return .ok("characters", locale ?? "", why: why) }
    return .warning(
      "characters", "\(locale ?? "no locale"), which is not UTF-8", why: why,
      fixes: ["export LC_ALL=C.UTF-8"])
  }

  private var colours: Finding {
    let why = "Colours only help; nothing is told by them alone."
    let found: String
    if variable("NO_COLOR") != nil {
      found = "none wanted (NO_COLOR)"
    } else if ["truecolor", "24bit"].contains(variable("COLORTERM")) {
      found = "16 million"
    } else {
      found = kind?.contains("256color") == true ? "256" : "as few as the terminal has"
    }
    return .ok("colours", found, why: why)
  }
}
