// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// A preset of a plug-in: a state that its maker or another person has stored.
public struct LV2Preset: Hashable, Sendable {
  /// The URI, which identifies the preset.
  public let uri: String
  /// The display name.
  public let label: String
}

extension LV2World {
  /// Returns the presets of a plug-in, sorted by label.
  ///
  /// - Complexity: the first call reads the files of all presets of the plug-in.
  public func presets(of plugin: LV2Plugin) -> [LV2Preset] {
    withHandle { lilv in
      guard let found = unsafe lilv.plugin(plugin.uri),
        let related = unsafe lilv.withURI(
          LV2Names.preset, { unsafe lilv.table.pointee.plugin_get_related(found, $0) })
      else { return [] }
      return unsafe lilv.textsFreeing(related).map { uri in
        LV2Preset(uri: uri, label: Self.label(of: uri, lilv) ?? uri)
      }.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
    }
  }

  /// Finds a preset by its label (case is ignored) or by its URI.
  ///
  /// - Throws: `LV2Error.noSuchPreset`.
  public func preset(named name: String, of plugin: LV2Plugin) throws(LV2Error) -> LV2Preset {
    let all = presets(of: plugin)
    let wanted = LV2Plugin.words(name)
    if let preset = all.first(where: { $0.uri == name || LV2Plugin.words($0.label) == wanted }) {
      return preset
    }
    throw .noSuchPreset(uri: plugin.uri, name, all: all.map(\.label))
  }

  private static func label(of uri: String, _ lilv: borrowing LilvHandle) -> String? {
    let found = unsafe lilv.withURI(uri) { preset in
      _ = unsafe lilv.table.pointee.world_load_resource(lilv.world, preset)
      return unsafe lilv.withURI(LV2Names.label) { label in
        unsafe lilv.textFreeing(lilv.table.pointee.world_get(lilv.world, preset, label, nil))
      }
    }
    return (found ?? nil) ?? nil
  }
}
