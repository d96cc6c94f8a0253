// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import LV2Units

/// Completions for effects and plug-ins.
extension CompletionKind {
  /// Effects, and the parameters of the effect that is being typed.
  package static var effects: CompletionKind {
    words { prefix in
      let catalogue = PluginShelf.standard.catalogue()
      guard let space = prefix.lastIndex(of: " ") else {
        let names = catalogue.entries.map(\.name)
        return PluginShelf.isPlugin(prefix) ? try pluginNames { $0.isEffect } : names + ["lv2:"]
      }
      let name = String(prefix.prefix { $0 != " " })
      let entry = try catalogue.entry(name)
      let parameters = entry.options.map(\.parameter) + entry.parameters
      return parameters.map { "\(prefix[...space])\($0.name)=" }
    }
  }

  /// Plug-ins.
  package static var plugins: CompletionKind {
    words { _ in try pluginNames { _ in true }.map { String($0.dropFirst(4)) } }
  }

  /// Plug-ins that are instruments, as in `--instrument`.
  package static var instruments: CompletionKind { words { _ in try pluginNames(\.isInstrument) } }

  private static func pluginNames(_ isMeant: (LV2Plugin) -> Bool) throws -> [String] {
    let plugins = try PluginShelf.standard.findings().plugins
    let names = PluginShelf.names(of: plugins)
    return plugins.filter { $0.refusal == nil && isMeant($0) }
      .map { PluginShelf.prefix + (names[$0.uri] ?? $0.uri) }
  }
}
