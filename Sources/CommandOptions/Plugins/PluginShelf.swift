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

/// The LV2 plug-ins of this machine, as the command uses them: found and tried by another process, and
/// loaded here only where their name asks for them.
///
/// - Note: Control side, any thread.
package final class PluginShelf: Sendable {
  /// The plug-ins of the usual folders.
  package static let standard = PluginShelf()

  private struct State {
    var findings: LV2Discovery.Findings?
    var worlds: [Set<String>: LV2World] = [:]
  }

  private let state = Mutex(State())

  /// The file that keeps what was found; nil where there is no home.
  private static var cache: String? {
    PrivateFile.base("XDG_CACHE_HOME", ".cache", Environment.variables)
      .map { $0 + "/downbeat/lv2.jsonl" }
  }

  /// What there is, looked for once.
  ///
  /// - Throws: `Failure` where this program cannot be started to try plug-ins.
  package func findings() throws(Failure) -> LV2Discovery.Findings {
    try state.withLock { state throws(Failure) in
      if let findings = state.findings { return findings }
      // Without lilv nothing could be tried, and nothing is to be kept of that.
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

  /// The plug-in of a name, as `LV2World.plugin` finds names; it may be one that cannot be used.
  ///
  /// - Throws: `Failure` with status 64 where there is none, or several are.
  package func plugin(named name: String) throws(Failure) -> LV2Plugin {
    let plugins = try findings().plugins
    do throws(LV2Error) {
      return try LV2Plugin.find(name, among: plugins)
    } catch {
      guard case .noSuchPlugin = error else { throw Failure(error) }
      throw Failure(.noSuchPlugin(name, near: Self.near(name, among: plugins)))
    }
  }

  /// The names, as `names(of:)` gives them, that may have been meant by one that names nothing.
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

  /// The plug-in of a name, which worked where it was tried.
  ///
  /// - Throws: `Failure`, with status 1 where it cannot be used.
  func usablePlugin(named name: String) throws(Failure) -> LV2Plugin {
    let plugin = try plugin(named: name)
    guard let refusal = plugin.refusal else { return plugin }
    throw Failure(.refused(uri: plugin.uri, refusal))
  }

  /// What the files of plug-ins say of them, and of their presets wherever those lie.
  package func world(of plugins: [LV2Plugin]) throws(Failure) -> LV2World {
    LV2LastWords.arm(program: "downbeat")
    // What has no plug-in in it may have presets.
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

  /// A name of a plug-in that names no other: `mda-epiano`.
  package static func name(of plugin: LV2Plugin, among plugins: [LV2Plugin]) -> String {
    names(of: plugins)[plugin.uri] ?? plugin.uri
  }

  /// A name for each plug-in that names it and no other, by the URIs: its own in lower case, else the
  /// shortest end of its URI of two words at least.
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
  /// The effects that texts may ask for, with plug-ins of any kind.
  ///
  /// - Parameter working: where a plug-in does what must not be done on the render thread.
  /// - Returns: the catalogue.
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
          // An instrument says itself when it is silent.
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

  /// What makes saved units, plug-ins too.
  ///
  /// - Parameters:
  ///   - units: the units; where none of them is a plug-in, nothing is looked for.
  ///   - isLive: whether they are heard as they render, so that what must not be done on the render
  ///     thread is done on another.
  /// - Returns: the registry.
  /// - Throws: `Failure` where a plug-in is not there, or cannot be used.
  package func registry(
    for units: [SavedGraph.Unit], isLive: Bool
  ) throws(Failure) -> UnitRegistry {
    var registry = UnitRegistry.standard
    var plugins: [LV2Plugin] = []
    for unit in units where unit.setup.kind == "lv2" {
      guard case .word(let uri) = unit.setup.values["plugin"] else { continue }
      plugins.append(try usablePlugin(named: uri))
    }
    // A document that names none is told so by whoever reads it.
    let used = plugins
    registry.registerLV2(working: isLive ? .onThread : .inLine) { try self.world(of: used) }
    return registry
  }
}

extension Failure {
  /// What a plug-in or the search for it fails by.
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
