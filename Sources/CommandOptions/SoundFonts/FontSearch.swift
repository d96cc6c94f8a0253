// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import Downbeat
internal import JSONText
package import SoundFontInstruments

/// Finds soundfonts by name, in the working folder or installed.
package enum FontSearch {
  /// The search with the variables of this process.
  package static var discovery: SoundFontDiscovery {
    SoundFontDiscovery(environment: Environment.variables, executable: Environment.executable)
  }

  /// The path of the font with a name; without one, of the first font that is used by default.
  package static func path(_ named: String?) throws -> String {
    if let named { return try path(of: named) }
    return try choices([]).first?.path ?? ""
  }

  /// The fonts that `--soundfont` names, or the default fonts.
  ///
  /// If a variable or a setting names several fonts, those that do not exist are reported.
  ///
  /// - Parameter named: The values of `--soundfont`.
  /// - Returns: One or more fonts, with their paths.
  /// - Throws: `Failure` if a font does not exist, or none is found.
  package static func choices(_ named: [FontChoice]) throws -> [SessionSettings.FontChoice] {
    guard named.isEmpty else { return try named.map { try $0.found } }
    tellConfigurationTroubles()
    let steps = discovery.steps()
    let chosen = steps.filter { $0.verdict == .chosen }
    guard let first = chosen.first else {
      throw Failure(
        .noSoundFont,
        "no soundfont found (use --soundfont FILE, or \(SoundFontCatalog.remedy))")
    }
    for step in steps where step.isNamed && step.reason == first.reason && step.verdict != .chosen {
      Terminal.report("\(step.path): \(step.verdict.rawValue), not used (\(step.reason))")
    }
    return try chosen.map { step in
      guard !step.settings.isEmpty else { return SessionSettings.FontChoice(path: step.path) }
      do {
        return try FontChoice(parsing: step.path + step.settings).choice
      } catch {
        throw Failure(.configuration, "\(step.reason): \(error)")
      }
    }
  }

  /// Opens the fonts that `--soundfont` names, or the default fonts.
  ///
  /// - Parameter named: The values of `--soundfont`.
  /// - Returns: One or more fonts.
  /// - Throws: `Failure` or `InstrumentError` if a font does not exist or cannot be used.
  package static func layers(_ named: [FontChoice]) throws -> [SoundFontLayer] {
    try choices(named).map { choice in
      SoundFontLayer(
        try SoundFont(path: choice.path), bankOffset: choice.bankOffset, gain: choice.gain)
    }
  }

  /// Reports the configuration files that cannot be read and are ignored.
  package static func tellConfigurationTroubles() {
    for trouble in discovery.configurationTroubles {
      Terminal.report("\(trouble); ignored when choosing the soundfont")
    }
  }

  /// The path of the font with a name, in the working folder or installed; `~/` is the home folder.
  package static func path(of name: String) throws -> String {
    if name.hasPrefix("~/"), let home = Environment.variables["HOME"] {
      return try path(of: home + name.dropFirst())
    }
    if let path = discovery.path(named: name) { return path }
    // A path with a folder is not searched for; opening it reports the error.
    guard !name.contains("/") else { return name }
    let names = discovery.fonts().map(SoundFontDiscovery.name)
    let stems = names.map { String($0.dropLast(4)) }
    let near = NearestNames.nearest(to: name, among: names + stems)
    let hint = near.map { "did you mean \($0)? " } ?? ""
    throw Failure(
      .noSoundFont,
      "\(name): no such soundfont in this folder, nor installed"
        + " (\(hint)see: downbeat soundfont list)")
  }
}
