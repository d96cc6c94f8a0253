// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import Downbeat
internal import JSONText

/// Soundfonts by name, in the working folder or installed.
package enum FontSearch {
  /// The search with this process's variables.
  package static var discovery: SoundFontDiscovery {
    SoundFontDiscovery(environment: Environment.variables, executable: Environment.executable)
  }

  /// The font named, or the one that is found.
  package static func path(_ named: String?) throws -> String {
    if let named { return try path(of: named) }
    tellConfigurationTroubles()
    if let path = discovery.find() { return path }
    throw Failure(
      .noSoundFont,
      "no soundfont found (use --soundfont FILE, or \(SoundFontCatalog.remedy))")
  }

  /// Reports the configuration files that cannot be read and are ignored.
  package static func tellConfigurationTroubles() {
    for trouble in discovery.configurationTroubles {
      Terminal.report("\(trouble); ignored when choosing the soundfont")
    }
  }

  /// The font of a name, in the working folder or installed.
  package static func path(of name: String) throws -> String {
    if let path = discovery.path(named: name) { return path }
    // A path is not searched for; opening it gives the error.
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
