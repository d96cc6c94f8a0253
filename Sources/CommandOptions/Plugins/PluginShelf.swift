// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import CommandKit
internal import Downbeat
internal import Glibc
internal import JSONText
package import LV2Units
internal import MusicalTime
internal import PlayerControl
internal import Synchronization
internal import WholeFiles

/// The LV2 plug-ins of this machine.
///
/// Another process finds and tests them; this process loads only those that are named.
///
/// - Note: Control side, any thread.
package final class PluginShelf: Sendable {
  /// The plug-ins in the default folders.
  package static let standard = PluginShelf()

  private struct State {
    var findings: LV2Discovery.Findings?
    var worlds: [Set<String>: LV2World] = [:]
  }

  private let state = Mutex(State())

  /// The file that caches the search; nil without a home folder.
  private static var cache: String? {
    PrivateFile.base("XDG_CACHE_HOME", ".cache", Environment.variables)
      .map { $0 + "/downbeat/lv2.jsonl" }
  }

  /// The plug-ins that were found; the search is done once.
  ///
  /// - Throws: `Failure` if this program cannot be started again to test plug-ins.
  package func findings() throws(Failure) -> LV2Discovery.Findings {
    try state.withLock { state throws(Failure) in
      if let findings = state.findings { return findings }
      // Without lilv nothing can be tested, and the result must not be cached.
      do throws(LV2Error) { _ = try LV2World(bundles: []) } catch { throw Failure(error) }
      let discovery = LV2Discovery(
        command: [Environment.executable, PluginTrial.word], cache: Self.cache)
      do throws(LV2Error) {
        let findings = try discovery.findings()
        state.findings = findings
        return findings
      } catch { throw Failure(error) }
    }
  }

  /// The plug-in with a name, as in `LV2Plugin.find`; it may be unusable.
  ///
  /// - Throws: `Failure` with exit status 64 if no plug-in or several have the name.
  package func plugin(named name: String) throws(Failure) -> LV2Plugin {
    let plugins = try findings().plugins
    do throws(LV2Error) {
      return try LV2Plugin.find(name, among: plugins)
    } catch {
      guard case .noSuchPlugin = error else { throw Failure(error) }
      throw Failure(.noSuchPlugin(name, near: Self.near(name, among: plugins)))
    }
  }

  /// The names, as in `names(of:)`, that are similar to an unknown one.
  private static func near(_ name: String, among plugins: [LV2Plugin]) -> [String] {
    let names = names(of: plugins)
    let parts = LV2Plugin.near(name, among: plugins).prefix(4)
    guard parts.isEmpty else { return parts.map { names[$0.uri] ?? $0.uri } }
    var words: [String: String] = [:]
    for plugin in plugins {
      let typed = names[plugin.uri] ?? plugin.uri
      for word in [typed, plugin.shortName] { words[word] = typed }
    }
    let nearest = NearestNames.nearest(to: name, among: words.keys.sorted())
    return nearest.flatMap { words[$0] }.map { [$0] } ?? []
  }

  /// The plug-in with a name, if it passed its test.
  ///
  /// - Throws: `Failure`, with exit status 1 if it cannot be used.
  func usablePlugin(named name: String) throws(Failure) -> LV2Plugin {
    let plugin = try plugin(named: name)
    guard let refusal = plugin.refusal else { return plugin }
    throw Failure(.refused(uri: plugin.uri, refusal))
  }

  /// Loads the descriptions of plug-ins and of their presets, which may be in other bundles.
  package func world(of plugins: [LV2Plugin]) throws(Failure) -> LV2World {
    LV2LastWords.arm(program: "downbeat")
    // Bundles without plug-ins may contain presets.
    let others = try findings().problems.compactMap { problem in
      if case .emptyBundle(let path) = problem { path } else { nil }
    }
    let bundles = Set(plugins.map(\.bundle) + others)
    return try state.withLock { state throws(Failure) in
      if let world = state.worlds[bundles] { return world }
      do throws(LV2Error) {
        let world = try StandardError.silenced { () throws(LV2Error) in
          try LV2World(bundles: bundles.sorted())
        }
        state.worlds[bundles] = world
        return world
      } catch { throw Failure(error) }
    }
  }

  /// A unique name for a plug-in, such as `mda-epiano`.
  package static func name(of plugin: LV2Plugin, among plugins: [LV2Plugin]) -> String {
    names(of: plugins)[plugin.uri] ?? plugin.uri
  }

  /// A unique name for each plug-in, by URI.
  ///
  /// It is the plug-in's own name in lower case if that is unique, or else the shortest unique end
  /// of its URI, of at least two words.
  ///
  /// - Complexity: O(n) in the number of plug-ins and the words of their URIs.
  package static func names(of plugins: [LV2Plugin]) -> [String: String] {
    let titles = plugins.map { words($0.name).joined(separator: "-") }
    let ends = plugins.map { plugin in
      let words = words(plugin.uri)
      return (1...max(1, words.count)).map { words.suffix($0).joined(separator: "-") }
    }
    var counts: [String: Int] = [:]
    for name in titles + ends.joined() { counts[name, default: 0] += 1 }
    let owners = Dictionary(zip(titles, titles.map { _ in 1 })) { $0 + $1 }
    var names: [String: String] = [:]
    for (place, plugin) in plugins.enumerated() {
      let title = titles[place]
      let isOwn = owners[title] == 1 && !title.isEmpty
      let end = ends[place].dropFirst().first { counts[$0] == 1 }
      names[plugin.uri] = isOwn ? title : end ?? plugin.uri
    }
    return names
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}

extension PluginShelf {
  /// The catalogue of effects, including plug-ins.
  ///
  /// - Parameter working: Selects the thread for work that must not be done on the render thread.
  /// - Returns: The catalogue.
  package func catalogue(working: LV2Configuration.Working = .inLine) -> EffectCatalogue {
    EffectCatalogue.standard.adding(
      EffectLibrary(prefix: "lv2:") { name in
        let plugin = try self.usablePlugin(named: name)
        return self.effect(plugin, working)
      })
  }

  private func effect(
    _ plugin: LV2Plugin, _ working: LV2Configuration.Working
  ) -> EffectLibrary.Effect {
    EffectLibrary.Effect(
      summary: plugin.name, parameters: plugin.controls.map { $0.parameter(hertz: 48_000) },
      aliases: plugin.controlNames.filter { $0.key != $0.value },
      make: { rate in
        let world = try self.world(of: [plugin])
        return try StandardError.silenced {
          // An instrument reports itself when it is silent.
          try LV2Unit(
            world.plugin(named: plugin.uri), in: world,
            configuration: LV2Configuration(
              rate: rate, buses: .stereo, working: working,
              tailSeconds: plugin.isInstrument ? 0 : 5))
        }
      },
      loadPreset: { unit, name in
        guard let unit = unit as? LV2Unit else { return }
        let world = try self.world(of: [plugin])
        do {
          try StandardError.silenced { try unit.load(world.preset(named: name, of: plugin)) }
        } catch LV2Error.noSuchPreset(_, _, let all) {
          throw EffectError.noValue(
            effect: plugin.shortName, parameter: "preset", name,
            range: all.isEmpty ? "none (without presets)" : all.joined(separator: ", "))
        }
      })
  }

  /// The registry for saved units, including plug-ins.
  ///
  /// - Parameters:
  ///   - units: The units; if none is a plug-in, plug-ins are not searched.
  ///   - isLive: True for live playback: work that must not be done on the render thread is then
  ///     done on another thread.
  /// - Returns: The registry.
  /// - Throws: `Failure` if a plug-in does not exist or cannot be used.
  package func registry(
    for units: [SavedGraph.Unit], isLive: Bool
  ) throws(Failure) -> UnitRegistry {
    var registry = UnitRegistry.standard
    var plugins: [LV2Plugin] = []
    for unit in units where unit.setup.kind == "lv2" {
      guard case .word(let uri) = unit.setup.values["plugin"] else { continue }
      plugins.append(try usablePlugin(named: uri))
    }
    // If a unit does not name a plug-in, the reader of the document reports it.
    let used = plugins
    registry.registerLV2(working: isLive ? .onThread : .inLine) { try self.world(of: used) }
    return registry
  }
}

extension Failure {
  /// The failure for an error of a plug-in or of the search.
  package init(_ error: LV2Error) {
    let status: ExitStatus =
      switch error {
      case .noSuchPlugin, .ambiguous, .notEffect, .noSuchPreset: .usage
      case .emptyBundle, .badState, .twice: .badData
      case .libraryMissing: .noLibrary
      case .refused, .cannotLoad, .cannotStart, .cannotTry: .failure
      }
    self.init(status, "\(error)")
  }
}
